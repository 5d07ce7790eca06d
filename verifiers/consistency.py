#!/usr/bin/env python3
"""Verifies that the log of a later anchor begins with that of an earlier one (docs/receipts.md).

python3 consistency.py proof.json --key public.pem [--former former.pem]
prints what both anchors cover; exit 0, or 1 with why it was refused. Former keys signed earlier anchors.
"""
import argparse, base64, json, sys

sys.dont_write_bytecode = True  # nothing is left beside the verifiers
from verify import DER, Refused, need, opened, raw, sha, shown

def continues(size, root, later_size, later_root, proof):
    """RFC 9162, 2.1.4.2."""
    if type(size) is not int or type(later_size) is not int or not 1 <= size <= later_size:
        return False
    if size == later_size:
        return proof == [] and root == later_root
    steps = [raw(step) for step in proof]
    at, last = size - 1, later_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    if at == 0:
        steps = [raw(root)] + steps
    if not steps:
        return False
    before = after = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            before, after = sha(b"\x01" + step + before), sha(b"\x01" + step + after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = sha(b"\x01" + after + step)
        at, last = at >> 1, last >> 1
    return last == 0 and before == raw(root) and after == raw(later_root)

def statement(envelope, keys, what):
    named = {sha(DER + key).hex(): key for key in keys}
    key = named.get(envelope["signatures"][0]["keyid"])
    need(key is not None, what + ": signed by another key")
    return opened(envelope, "application/vnd.web-grounding.anchor+json", key, what)

def verify(document, keys):
    before, after = (statement(document[name], keys, name) for name in ("before", "after"))
    need(before["log_id"] == after["log_id"], "the anchors are of two logs")
    need(continues(before["tree_size"], before["root_hash"], after["tree_size"], after["root_hash"],
                   document["proof"]), "the later log does not begin with the earlier one")
    return before, after

def key_in(path):
    with open(path, encoding="ascii") as file:
        der = base64.b64decode("".join(line for line in file.read().split("\n") if "-----" not in line))
    if len(der) != 44 or der[:12] != DER:
        sys.exit("refused: the key is no Ed25519 public key")
    return der[12:]

def main():
    parser = argparse.ArgumentParser(description="Verifies proofs between anchors.")
    parser.add_argument("proof")
    parser.add_argument("--key", required=True, help="public key, PEM")
    parser.add_argument("--former", action="append", default=[], help="public key of before, PEM")
    given = parser.parse_args()
    keys = [key_in(path) for path in [given.key] + given.former]
    try:
        with open(given.proof, encoding="utf-8") as file:
            before, after = verify(json.load(file), keys)
    except Refused as refused:
        sys.exit("refused: " + shown(refused))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as fault:
        sys.exit("refused: not a proof that can be read (%s)" % type(fault).__name__)
    print("ok")
    print("  %d events at %s begin the %d events at %s" % (
        before["tree_size"], shown(before["at"]), after["tree_size"], shown(after["at"])))

main()
