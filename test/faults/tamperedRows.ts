/**
 * Ways to change the log directly in the database, and what verification of the whole log says of
 * each without an anchor, and whether an anchor shows it.
 */

const at = (session: string, version: number) =>
  `where stream_id = (select stream_id from wg.streams where session_id = '${session}')
    and version = ${version}`
const flipped = (column: string, byte: number) =>
  `set_byte(${column}, ${byte}, 255 - get_byte(${column}, ${byte}))`
const columns = `stream_id, version, tenant_id, event_id, type, schema_version, recorded_at, data,
  metadata, seal`

export interface Way {
  readonly name: string
  readonly sql: string
  /** `kind session version #position`. */
  readonly faults: ReadonlyArray<string>
  readonly anchor: "shows it" | "does not cover it"
}

const way = (
  name: string,
  sql: string,
  faults: ReadonlyArray<string>,
  anchor: Way["anchor"] = "does not cover it"
): Way => ({ name, sql, faults, anchor })

export const ways: ReadonlyArray<Way> = [
  way(
    "a payload edited",
    `update wg.events set data = data || '{"secret": "no"}' ${at("a", 3)}`,
    ["payload_edited a 3 #7"]
  ),
  way(
    "a key taken out of a payload",
    `update wg.events set data = data - 'list' ${at("c", 4)}`,
    ["payload_edited c 4 #11"]
  ),
  way(
    "a payload taken away, its salt left",
    `update wg.events set data = null ${at("a", 3)}`,
    ["payload_edited a 3 #7"]
  ),
  way(
    "a payload and its salt taken away",
    `update wg.events set data = null, seal = substring(seal for 64) ${at("b", 2)}`,
    ["payload_missing b 2 #5"]
  ),
  way(
    "a salt",
    `update wg.events set seal = ${flipped("seal", 70)} ${at("a", 3)}`,
    ["payload_edited a 3 #7"]
  ),
  way(
    "a digest",
    `update wg.events set seal = ${flipped("seal", 3)} ${at("a", 3)}`,
    ["payload_edited a 3 #7"]
  ),
  way(
    "a hash",
    `update wg.events set seal = ${flipped("seal", 40)} ${at("a", 3)}`,
    ["link_broken a 3 #7", "link_broken a 4 #10"],
    "shows it"
  ),
  way(
    "a type",
    `update wg.events set type = 'X' ${at("c", 1)}`,
    ["link_broken c 1 #3"]
  ),
  way(
    "a version of a shape",
    `update wg.events set schema_version = 2 ${at("c", 2)}`,
    ["link_broken c 2 #6"]
  ),
  way(
    "an actor in the metadata",
    `update wg.events set metadata = metadata || '{"actor": "x"}' ${at("a", 5)}`,
    ["link_broken a 5 #12"]
  ),
  way(
    "when an event was recorded",
    `update wg.events set recorded_at = recorded_at - interval '1 day' ${at("b", 2)}`,
    ["link_broken b 2 #5"]
  ),
  way(
    "an event's id",
    `update wg.events set event_id = gen_random_uuid() ${at("b", 3)}`,
    ["link_broken b 3 #8"]
  ),
  way(
    "an event's tenant",
    `update wg.events set tenant_id = 't2' ${at("a", 2)}`,
    ["tenant_mismatch a 2 #4"],
    "shows it"
  ),
  way(
    "a stream's tenant",
    `update wg.streams set tenant_id = 't9' where session_id = 'b'`,
    ["tenant_mismatch b 1 #2", "tenant_mismatch b 2 #5", "tenant_mismatch b 3 #8"]
  ),
  way(
    "the tenant of a stream and of all its events",
    `update wg.events set tenant_id = 't9'
      where stream_id = (select stream_id from wg.streams where session_id = 'b');
    update wg.streams set tenant_id = 't9' where session_id = 'b'`,
    [],
    "shows it"
  ),
  way(
    "a session renamed",
    `update wg.streams set session_id = 'z' where session_id = 'b'`,
    [],
    "shows it"
  ),
  way(
    "two events swapped",
    `update wg.events set version = 30 ${at("a", 3)};
    update wg.events set version = 3 ${at("a", 4)};
    update wg.events set version = 4 ${at("a", 30)}`,
    ["position_disorder a 4 #7", "link_broken a 4 #7", "link_broken a 3 #10", "link_broken a 5 #12"]
  ),
  way(
    "the payloads of two events swapped",
    `update wg.events as one set data = other.data, seal = substring(one.seal for 64) ||
        substring(other.seal from 65)
      from wg.events as other where one.position + other.position = 11
        and one.position in (4, 7)`,
    ["payload_edited a 2 #4", "payload_edited a 3 #7"]
  ),
  way(
    "the first event taken out",
    `delete from wg.events ${at("a", 1)}`,
    ["version_gap a 2 #4"],
    "shows it"
  ),
  way(
    "a middle event taken out",
    `delete from wg.events ${at("a", 3)}`,
    ["version_gap a 4 #10"],
    "shows it"
  ),
  way(
    "the last event taken out",
    `delete from wg.events ${at("a", 5)}`,
    ["head_mismatch a 4 #10"],
    "shows it"
  ),
  way(
    "all events of a stream taken out",
    `delete from wg.events
      where stream_id = (select stream_id from wg.streams where session_id = 'b')`,
    ["stream_empty b 3 -"],
    "shows it"
  ),
  way(
    "a stream's row taken out",
    `delete from wg.streams where session_id = 'b'`,
    ["stream_missing - 1 #2", "stream_missing - 2 #5", "stream_missing - 3 #8"],
    "shows it"
  ),
  way(
    "a stream taken out whole",
    `delete from wg.events
      where stream_id = (select stream_id from wg.streams where session_id = 'b');
    delete from wg.streams where session_id = 'b'`,
    [],
    "shows it"
  ),
  way(
    "a tail taken out together with its head",
    `delete from wg.events where version > 3
      and stream_id = (select stream_id from wg.streams where session_id = 'a');
    update wg.streams set version = 3, head_hash = (select substring(seal from 33 for 32)
      from wg.events where events.stream_id = streams.stream_id and version = 3)
      where session_id = 'a'`,
    [],
    "shows it"
  ),
  way(
    "the tails of all streams taken out together with their heads",
    `delete from wg.events where version > 2;
    update wg.streams set version = 2, head_hash = (select substring(seal from 33 for 32)
      from wg.events where events.stream_id = streams.stream_id and version = 2)`,
    [],
    "shows it"
  ),
  way(
    "a head's hash",
    `update wg.streams set head_hash = ${flipped("head_hash", 0)} where session_id = 'a'`,
    ["head_mismatch a 5 #12"]
  ),
  way(
    "a head's version",
    `update wg.streams set version = 4 where session_id = 'a'`,
    ["head_mismatch a 5 #12"]
  ),
  way(
    "when a stream was created",
    `update wg.streams set created_at = created_at - interval '1 day' where session_id = 'c'`,
    ["created_mismatch c 1 -"]
  ),
  way(
    "an event copied at the end of its stream",
    `insert into wg.events (position, ${columns})
      select 13, stream_id, 6, tenant_id, event_id, type, schema_version, recorded_at, data,
        metadata, seal from wg.events ${at("a", 5)}`,
    ["link_broken a 6 #13", "head_mismatch a 6 #13"]
  ),
  way(
    "an event copied with its version",
    `insert into wg.events (position, ${columns}) select 13, ${columns} from wg.events
      ${at("a", 3)}`,
    ["version_repeated a 3 #13"]
  ),
  way(
    "a position given twice",
    `update wg.events set position = 8 ${at("a", 3)}`,
    ["position_repeated - - #8"],
    "shows it"
  ),
  way(
    "two positions of a stream swapped",
    `update wg.events set position = 14 - position where position in (4, 10)`,
    ["position_disorder a 4 #4", "position_disorder a 3 #7"],
    "shows it"
  ),
  way(
    "a position before all",
    `update wg.events set position = -5 ${at("a", 1)}`,
    ["position_disorder a 1 #-5"],
    "shows it"
  ),
  way(
    "positions of two streams swapped",
    `update wg.events set position = 23 - position where position in (11, 12)`,
    [],
    "shows it"
  ),
  way(
    "an erased payload put back with a salt of its own",
    `update wg.streams set erased_at = now() where session_id = 'b';
    update wg.events set data = null, seal = substring(seal for 64)
      where stream_id = (select stream_id from wg.streams where session_id = 'b');
    update wg.events set data = '{"secret": "no"}',
      seal = seal || decode(repeat('00', 16), 'hex') ${at("b", 2)}`,
    ["erasure_undone b 2 #5", "payload_edited b 2 #5"]
  ),
  way(
    "an erased payload put back as it was",
    `update wg.streams set erased_at = now() where session_id = 'b';
    update wg.events set data = null, seal = substring(seal for 64) where version <> 2
      and stream_id = (select stream_id from wg.streams where session_id = 'b')`,
    ["erasure_undone b 2 #5"]
  ),
  way(
    "a stream said not to be erased",
    `update wg.events set data = null, seal = substring(seal for 64)
      where stream_id = (select stream_id from wg.streams where session_id = 'b')`,
    ["payload_missing b 1 #2", "payload_missing b 2 #5", "payload_missing b 3 #8"]
  )
]
