#!/usr/bin/env python3
"""Verifies citation receipts (docs/receipts.md) with the standard library of Python 3.9 alone.

python3 verify.py receipt.json --key public.pem    prints what was verified; exit 0, or 1 with why not
python3 verify.py --lines receipts.jsonl --key public.pem    one receipt a line: "ok" or "refused: why"
"""
import argparse, base64, binascii, hashlib, json, sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
DER = bytes.fromhex("302a300506032b6570032100")

class Refused(Exception):
    pass

def need(holds, why):
    if not holds:
        raise Refused(why)

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)

def times(n, p):
    q = (0, 1, 1, 0)
    while n > 0:
        if n & 1:
            q = add(q, p)
        p, n = add(p, p), n >> 1
    return q

def same(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0

def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)

BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))

def signed(public, message, signature):
    """RFC 8032, 5.1.7."""
    if len(signature) != 64:
        return False
    a, r, s = point(public), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    return same(times(s, BASE), add(r, times(h, a)))

def sha(data):
    return hashlib.sha256(data).digest()

def raw(text):
    need(isinstance(text, str) and len(text) == 64 and text == text.lower(), "a hash is not 64 hex digits")
    return bytes.fromhex(text)

def b64(text):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, "base64 is not in its one form")
    return data

def opened(envelope, kind, public, what):
    need(set(envelope) == {"payloadType", "payload", "signatures"}, what + ": not a DSSE envelope")
    need(envelope["payloadType"] == kind, what + ": another payload type")
    payload, (signature,) = b64(envelope["payload"]), envelope["signatures"]
    need(set(signature) == {"keyid", "sig"}, what + ": not a DSSE signature")
    need(signature["keyid"] == sha(DER + public).hex(), what + ": signed by another key")
    head = "DSSEv1 %d %s %d " % (len(kind), kind, len(payload))
    need(signed(public, head.encode() + payload, b64(signature["sig"])), what + ": the signature does not verify")
    return json.loads(payload.decode("utf-8"))

def included(leaf, index, size, proof, root):
    """RFC 9162, 2.1.3.2."""
    if type(index) is not int or type(size) is not int or not 0 <= index < size:
        return False
    at, last, hashed = index, size - 1, leaf
    for step in map(raw, proof):
        if last == 0:
            return False
        if at & 1 or at == last:
            hashed = sha(b"\x01" + step + hashed)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            hashed = sha(b"\x01" + hashed + step)
        at, last = at >> 1, last >> 1
    return last == 0 and hashed == raw(root)

def event_hash(event):
    header = '["%s",%d,"%s","%s",%d,"%s",%s]' % (
        event["stream_id"], event["version"], event["event_id"], event["type"],
        event["schema_version"], event["recorded_at"], event["metadata"])
    text = "wg:1:event\0" + event["previous_hash"] + header + event["payload_digest"]
    return sha(text.encode()).hex()

def verify(receipt, public):
    statement = opened(receipt, "application/vnd.in-toto+json", public, "receipt")
    need(statement["_type"] == "https://in-toto.io/Statement/v1", "not an in-toto statement")
    need([one["name"] for one in statement["subject"]] == ["grounding-pack"], "another subject")
    need(statement["predicateType"] == "https://web-grounding.dev/receipt/v1", "not a receipt of this version")
    told = statement["predicate"]
    event, claims, count = told["event"], told["claims"], told["claims_count"]
    need(event["type"] == "WEB_GROUNDING_FINISHED", "the event records no answer")
    need(event_hash(event) == event["hash"], "the event is not what its hash was taken over")
    anchor = opened(told["anchor"], "application/vnd.web-grounding.anchor+json", public, "anchor")
    inclusion = told["inclusion"]
    position, _, session, digest = json.loads(inclusion["entry"])
    need((position, session, digest) == (event["position"], told["session_id"], event["hash"]),
         "the entry is another event's")
    need(json.loads(event["metadata"])["correlation_id"] == told["request_id"], "the event answers another request")
    need(included(sha(b"\0" + inclusion["entry"].encode("utf-8")), inclusion["index"], anchor["tree_size"],
                  inclusion["proof"], anchor["root_hash"]), "the event is not in the anchor's tree")
    entries = []
    for claim in claims:
        entry = claim["entry"].encode("utf-8")
        need(included(sha(b"\0" + entry), claim["index"], count, claim["proof"], told["claims_root"]),
             "a claim is not in the receipt's tree")
        entries.append(json.loads(claim["entry"]))
    if "payload" in told:
        salt, data, pack = told["payload"]["salt"], told["payload"]["data"], json.loads(told["pack"])
        digest = sha(("wg:1:payload\0" + salt + data).encode("utf-8")).hex()
        need(digest == event["payload_digest"], "the payload is not what the event recorded")
        outcome = json.loads(data)["outcome"]
        need(outcome["pack"] == pack, "the pack is not what the event recorded")
        need((outcome["session_id"], outcome["request_id"]) == (told["session_id"], told["request_id"]),
             "the event answers another request")
        need(sha(told["pack"].encode("utf-8")).hex() == statement["subject"][0]["digest"]["sha256"],
             "the subject is another pack")
        need([claim["index"] for claim in claims] == list(range(count)), "a claim is missing")
        sections = ("key_points", "norms_and_expectations", "constraints_and_rules", "disputed_or_uncertain")
        need([(s, n, c) for s in sections for n, c in enumerate(pack[s])]
             == [(e["section"], e["place"], e["claim"]) for e in entries], "the claims are not the pack's")
    else:
        need(len(claims) == 1, "a receipt without the payload shows one claim")
    return entries, anchor, told

def outcome_of(text, public):
    try:
        return verify(json.loads(text), public)
    except Refused as refused:
        return str(refused)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError,
            binascii.Error) as fault:
        return "not a receipt that can be read (%s)" % type(fault).__name__

def shown(text):
    """Words of the web: control characters are not for a terminal."""
    return "".join(c if c.isprintable() else " " for c in str(text))

def main():
    parser = argparse.ArgumentParser(description="Verifies citation receipts.")
    parser.add_argument("receipt")
    parser.add_argument("--key", required=True, help="public key, PEM")
    parser.add_argument("--lines", action="store_true", help="one receipt a line")
    given = parser.parse_args()
    with open(given.key, encoding="ascii") as file:
        der = base64.b64decode("".join(line for line in file.read().split("\n") if "-----" not in line))
    if len(der) != 44 or der[:12] != DER:
        sys.exit("refused: the key is no Ed25519 public key")
    with open(given.receipt, encoding="utf-8") as file:
        texts = file.read().rstrip("\n").split("\n") if given.lines else [file.read()]
    results = [outcome_of(text, der[12:]) for text in texts]
    for result in results:
        if isinstance(result, str):
            print("refused: " + shown(result))
            continue
        print("ok")
        for entry in [] if given.lines else result[0]:
            print("  " + shown(entry["claim"]["text"]))
            for source in entry["claim"]["sources"]:
                print("    %s sha256 %s" % (shown(source["url"]), shown(source["text_sha256"])))
                for quote in source["quotes"]:
                    print("      %d-%d: %s" % (quote["start"], quote["end"], shown(quote["text"])))
        if not given.lines:
            entries, anchor, told = result
            print("  session %s, request %s" % (shown(told["session_id"]), shown(told["request_id"])))
            print("  claims: %d of %d, recorded %s, anchored %s" % (
                len(entries), told["claims_count"], shown(told["event"]["recorded_at"]), shown(anchor["at"])))
    sys.exit(1 if any(isinstance(result, str) for result in results) else 0)

if __name__ == "__main__":
    main()
