/** The tree of RFC 6962, by the vectors that Certificate Transparency publishes and by property. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import * as MerkleTree from "../../src/domain/audit/MerkleTree.ts"

const hash: MerkleTree.Hash = (hex) =>
  createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex")

/** Inputs of the reference tests of Certificate Transparency, and the roots over the first n. */
const inputs = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f"
]
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
]
const known = inputs.map((entry) => hash(`00${entry}`))

const leavesOf = (size: number) =>
  Array.from(
    { length: size },
    (_, index) => hash(`00${index.toString(16).padStart(8, "0")}`)
  )

/** The definition, word for word, without a frontier. */
const defined = (leaves: ReadonlyArray<string>): string => {
  const [only] = leaves
  if (only === undefined) return hash("")
  if (leaves.length === 1) return only
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return hash(`01${defined(leaves.slice(0, split))}${defined(leaves.slice(split))}`)
}

const flipped = (hex: string, at: number) =>
  `${hex.slice(0, at)}${hex[at] === "0" ? "1" : "0"}${hex.slice(at + 1)}`

/** Past 128: a tree of each depth up to eight. */
const sizeMax = process.env["WG_TEST_FULL"] === "1" ? 300 : 140

const consistencyProof = (leaves: ReadonlyArray<string>, before: number) =>
  MerkleTree.consistencyRanges(before, leaves.length)
    .map(({ end, start }) => MerkleTree.root(hash, leaves.slice(start, end)))

describe("MerkleTree", () => {
  it("has the roots of the reference vectors, and of nothing", () => {
    assert.strictEqual(
      MerkleTree.root(hash, []),
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    roots.forEach((root, index) =>
      assert.strictEqual(MerkleTree.root(hash, known.slice(0, index + 1)), root)
    )
  })

  it("has the inclusion and consistency proofs of the reference vectors", () => {
    assert.deepStrictEqual(MerkleTree.inclusionProof(hash, known, 5), [
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
    ])
    assert.deepStrictEqual(MerkleTree.inclusionProof(hash, known.slice(0, 3), 2), [
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
    ])
    assert.deepStrictEqual(consistencyProof(known, 6), [
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
    ])
    assert.deepStrictEqual(consistencyProof(known.slice(0, 5), 2), [
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
    ])
  })

  it("grows leaf by leaf to the root of the definition, at every size", () => {
    const leaves = leavesOf(sizeMax)
    const tree = MerkleTree.grow(hash)
    for (let size = 0; size <= sizeMax; size++) {
      assert.strictEqual(MerkleTree.rootOf(hash, tree.frontier()), defined(leaves.slice(0, size)))
      tree.take(leaves[size] ?? "")
    }
  })

  it("proves every entry of every size, and no other entry, index, size or root", () => {
    const all = leavesOf(sizeMax)
    for (let size = 1; size <= sizeMax; size++) {
      const leaves = all.slice(0, size)
      const root = MerkleTree.root(hash, leaves)
      // Every place of small trees; of large ones the ends and some between.
      const places = size <= 33
        ? leaves.map((_, at) => at)
        : [0, size >> 1, (size * 7) % size, size - 1]
      for (const index of places) {
        const ranges = MerkleTree.inclusionRanges(index, size)
        const gathering = MerkleTree.gather(hash)
        gathering.want(ranges)
        leaves.forEach(gathering.take)
        const leaf = leaves[index] ?? ""
        const proof = gathering.proof(ranges, MerkleTree.emptyFrontier)
        const given = { index, size, leaf, root, proof }
        assert.isTrue(MerkleTree.includes(hash, given))
        const [first = "", ...rest] = given.proof
        const wrong = [
          { ...given, leaf: flipped(leaf, size % 64) },
          { ...given, root: flipped(root, size % 64) },
          { ...given, index: index + size },
          { ...given, index: -1 },
          { ...given, index: index + 0.5 },
          { ...given, proof: [...given.proof, root] },
          ...(size === 1 ? [] : [
            { ...given, index: index === 0 ? 1 : index - 1 },
            { ...given, proof: rest },
            { ...given, proof: [flipped(first, size % 64), ...rest] }
          ])
        ]
        wrong.forEach((one) => assert.isFalse(MerkleTree.includes(hash, one), `${index}/${size}`))
      }
    }
  })

  it("proves that each tree begins with every smaller one, and with nothing else", () => {
    const all = leavesOf(sizeMax)
    for (let size = 1; size <= sizeMax; size++) {
      const leaves = all.slice(0, size)
      const after = { size, root: MerkleTree.root(hash, leaves) }
      const sizes = size <= 33
        ? leaves.map((_, at) => at)
        : [1, size >> 1, (size >> 2) + 1, size - 1]
      for (const at of [...sizes, size]) {
        const before = { size: at, root: MerkleTree.root(hash, leaves.slice(0, at)) }
        const proof = consistencyProof(leaves, at)
        assert.isTrue(MerkleTree.continues(hash, { before, after, proof }), `${at}/${size}`)
        const forged = flipped(before.root, size % 64)
        const [first = "", ...rest] = proof
        const wrong = [
          { before: { ...before, root: forged }, after, proof },
          { before, after: { ...after, root: flipped(after.root, 5) }, proof },
          { before, after, proof: [...proof, after.root] },
          { before: { ...before, size: size + 1 }, after, proof },
          ...(proof.length === 0 ? [] : [
            { before, after, proof: rest },
            { before, after, proof: [flipped(first, size % 64), ...rest] }
          ])
        ]
        // The empty tree is before every tree, whatever that is.
        const told = at === 0 ? wrong.filter((one) => one.after === after) : wrong
        told.forEach((one) => assert.isFalse(MerkleTree.continues(hash, one), `${at}/${size}`))
      }
    }
  })
})
