/**
 * State of the service itself in one table: rests of keys, alerts, tokens, verifications, counts of
 * credits. What earlier releases recorded of it as events is carried over; their payloads were
 * never encrypted. The read models of those events go.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Events of the service's own streams, by the beginning of a stream's name. */
const recorded = (session: string, ...types: ReadonlyArray<string>) =>
  `select event.*, session_id from wg.streams as own join wg.events as event using (stream_id)
    where own.tenant_id = '_service' and session_id like '${session}%'
      and type in (${types.map((type) => `'WEB_GROUNDING_${type}'`).join(", ")})`

const statements = [
  `create table wg.service_state (
    kind       text not null,
    key        text collate "C" not null,
    value      jsonb not null,
    version    integer not null default 1,
    changed_at timestamptz not null default now(),
    expires_at timestamptz,
    primary key (kind, key)
  )`,
  `create index service_state_expired on wg.service_state (kind, expires_at)
    where expires_at is not null`,
  `insert into wg.service_state (kind, key, value)
    select 'token', made.data ->> 'token_id', made.data || jsonb_strip_nulls(jsonb_build_object(
        'created_by', made.metadata ->> 'actor', 'revoked_at', ended.data ->> 'revoked_at',
        'revoked_by', ended.metadata ->> 'actor'))
      from (${recorded("access-tokens", "TOKEN_CREATED")}) as made
      left join (${recorded("access-tokens", "TOKEN_REVOKED")}) as ended
        on ended.data ->> 'token_id' = made.data ->> 'token_id'
    on conflict do nothing`,
  `insert into wg.service_state (kind, key, value)
    select 'key', (data ->> 'provider') || ' ' || (data ->> 'key_slot'),
        jsonb_strip_nulls(jsonb_build_object('provider', data -> 'provider',
          'key_slot', data -> 'key_slot', 'since', data -> 'at', 'until', data -> 'until',
          'strikes', coalesce(data -> 'strikes', '0'),
          'state', case type when 'WEB_GROUNDING_KEY_DISABLED' then 'disabled'
            when 'WEB_GROUNDING_KEY_COOLED_DOWN' then 'cooling' else 'usable' end,
          'reason', case when type = 'WEB_GROUNDING_KEY_COOLED_DOWN' then
            case when data ->> 'status' = 'unknown_error' then 'forbidden'
              else data ->> 'status' end else data ->> 'reason' end))
      from (select distinct on (stream_id, data -> 'key_slot') *
        from (${recorded("keys-", "KEY_COOLED_DOWN", "KEY_DISABLED", "KEY_RECOVERED")}) as own
        order by stream_id, data -> 'key_slot', version desc) as newest`,
  `insert into wg.service_state (kind, key, value)
    select 'credits', (data ->> 'provider') || ' ' || (data ->> 'key_slot'), data
      from (select distinct on (stream_id, data -> 'key_slot') *
        from (${recorded("health-", "CREDITS_MEASURED")}) as own
        order by stream_id, data -> 'key_slot', version desc) as newest`,
  `insert into wg.service_state (kind, key, value, expires_at)
    select case when ended.data is null then 'open_alert' else 'alert' end,
        case when ended.data is null then '' else (opened.data ->> 'at') || ' ' end
          || (opened.data ->> 'alert_key'),
        jsonb_strip_nulls(jsonb_build_object('alert_key', opened.data -> 'alert_key',
          'alert', opened.data -> 'alert', 'opened_at', opened.data -> 'at',
          'closed_at', ended.data -> 'at')),
        (ended.data ->> 'at')::timestamptz + interval '90 days'
      from (${recorded("alerts", "ALERT_OPENED")}) as opened
      left join (${recorded("alerts", "ALERT_CLOSED")}) as ended
        on ended.data ->> 'alert_key' = opened.data ->> 'alert_key'
          and ended.data ->> 'opened_at' = opened.data ->> 'at'
      where opened.data -> 'alert' ->> '_tag' <> 'CellsFileBroken'
    on conflict do nothing`,
  `insert into wg.service_state (kind, key, value)
    select 'verification', 'log', jsonb_build_object('last', data, 'since_full', 6)
        || case when data ->> 'faults_count' = '0' then '{}'
          else jsonb_build_object('unsound_since', data -> 'at') end
      from (${recorded("verification", "LOG_VERIFIED")} order by version desc limit 1) as newest`,
  `delete from wg.read_models where model in ('alerts', 'credit_use', 'key_health')`,
  `delete from wg.live_models where model in ('alerts', 'credit_use', 'key_health')`,
  `delete from wg.checkpoints where consumer_id ~ '^(alerts|credit_use|key_health)@'`,
  `delete from wg.dead_letters where consumer_id ~ '^(alerts|credit_use|key_health)@'`,
  `do $$ begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert, update, delete on wg.service_state to wg_app;
    end if;
  end $$`
]
