/**
 * Ways to change the log directly in the database, and what verification of the whole log says of
 * each without an anchor, and whether an anchor shows it.
 */

const of = (session: string) =>
  `where stream_id = (select stream_id from wg.streams where session_id = '${session}')`
const at = (session: string, version: number) => `${of(session)} and version = ${version}`
const set = (session: string, version: number, change: string) =>
  `update wg.events set ${change} ${at(session, version)}`
const setStream = (session: string, change: string) =>
  `update wg.streams set ${change} where session_id = '${session}'`
const flipped = (column: string, byte: number) =>
  `${column} = set_byte(${column}, ${byte}, 255 - get_byte(${column}, ${byte}))`
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
    set("a", 3, `data = data || '{"secret": "no"}'`),
    ["payload_edited a 3 #7"]
  ),
  way(
    "a key taken out of a payload",
    set("c", 4, "data = data - 'list'"),
    ["payload_edited c 4 #11"]
  ),
  way("a payload taken away, its salt left", set("a", 3, "data = null"), ["payload_edited a 3 #7"]),
  way(
    "a payload and its salt taken away",
    set("b", 2, "data = null, seal = substring(seal for 64)"),
    ["payload_missing b 2 #5"]
  ),
  way("a salt", set("a", 3, flipped("seal", 70)), ["payload_edited a 3 #7"]),
  way("a digest", set("a", 3, flipped("seal", 3)), ["payload_edited a 3 #7"]),
  way(
    "a hash",
    set("a", 3, flipped("seal", 40)),
    ["link_broken a 3 #7", "link_broken a 4 #10"],
    "shows it"
  ),
  way("a type", set("c", 1, "type = 'X'"), ["link_broken c 1 #3"]),
  way("a version of a shape", set("c", 2, "schema_version = 2"), ["link_broken c 2 #6"]),
  way(
    "an actor in the metadata",
    set("a", 5, `metadata = metadata || '{"actor": "x"}'`),
    ["link_broken a 5 #12"]
  ),
  way(
    "when an event was recorded",
    set("b", 2, "recorded_at = recorded_at - interval '1 day'"),
    ["link_broken b 2 #5"]
  ),
  way("an event's id", set("b", 3, "event_id = gen_random_uuid()"), ["link_broken b 3 #8"]),
  way("an event's tenant", set("a", 2, "tenant_id = 't2'"), ["tenant_mismatch a 2 #4"], "shows it"),
  way(
    "a stream's tenant",
    setStream("b", "tenant_id = 't9'"),
    ["tenant_mismatch b 1 #2", "tenant_mismatch b 2 #5", "tenant_mismatch b 3 #8"]
  ),
  way(
    "the tenant of a stream and of all its events",
    `update wg.events set tenant_id = 't9' ${of("b")};
    update wg.streams set tenant_id = 't9' where session_id = 'b'`,
    [],
    "shows it"
  ),
  way("a session renamed", setStream("b", "session_id = 'z'"), [], "shows it"),
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
    `delete from wg.events ${of("b")}`,
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
    `delete from wg.events ${of("b")};
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
    setStream("a", flipped("head_hash", 0)),
    ["head_mismatch a 5 #12"]
  ),
  way("a head's version", setStream("a", "version = 4"), ["head_mismatch a 5 #12"]),
  way(
    "when a stream was created",
    setStream("c", "created_at = created_at - interval '1 day'"),
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
    set("a", 3, "position = 8"),
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
    set("a", 1, "position = -5"),
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
    update wg.events set data = null, seal = substring(seal for 64) ${of("b")};
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
    `update wg.events set data = null, seal = substring(seal for 64) ${of("b")}`,
    ["payload_missing b 1 #2", "payload_missing b 2 #5", "payload_missing b 3 #8"]
  )
]
