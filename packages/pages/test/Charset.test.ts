import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Charset from "../src/Charset.ts"
import { encodedIn } from "./support/legacyBytes.ts"

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding)
const textOf = (body: Uint8Array, type = "text/html") =>
  Effect.runPromise(Charset.textOf(body, type))

describe("the characters of a page", () => {
  it("are those of its mark, its header, its own words, else UTF-8 or the West's", async () => {
    const sjis = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    const meta = (charset: string, rest: Buffer) =>
      Buffer.concat([bytes(`<html><head><meta charset="${charset}"><p>`), rest])
    const table: ReadonlyArray<readonly [Buffer, string, string]> = [
      [bytes("caf\u00e9"), "text/html", "café"],
      [bytes("caf\u00e9", "latin1"), "text/html", "café"],
      [bytes("caf\u00e9", "latin1"), "text/html; charset=ISO-8859-1", "café"],
      [bytes("caf\u00e9"), "text/html; charset=\"UTF-8\"", "café"],
      [bytes("\u{feff}caf\u00e9"), "text/html; charset=windows-1252", "café"],
      [bytes("caf\u00e9"), "text/html; charset=ISO-8859-1", "café"],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), bytes("café", "utf16le")]), "text/html", "café"],
      [bytes("café", "utf16le"), "text/html; charset=utf-16", "café"],
      [bytes("<p>café", "utf16le"), "text/html", "<p>café"],
      [bytes("<p>café", "utf16le").swap16(), "text/html; charset=utf-8", "<p>café"],
      [bytes("a page"), "text/html; charset=utf-16", "a page"],
      [bytes("a page"), "text/html; charset=unicode", "a page"],
      [sjis, "text/html; charset=Shift_JIS", "日本"],
      [bytes("ab\xff", "latin1"), "text/html; charset=utf-8", "ab\ufffd"],
      [bytes("caf\u00e9"), "text/html; charset=x-no-such", "café"],
      [bytes("caf\u00e9"), "text/html; charset=utf-7", "café"]
    ]
    for (const [body, type, text] of table) assert.strictEqual(await textOf(body, type), text)
    assert.isTrue((await textOf(meta("shift_jis", sjis))).endsWith("日本"))
    const korean = "<?xml version=\"1.0\" encoding='euc-kr'?><p>"
    const hangul = Buffer.concat([bytes(korean), Buffer.from([0xc7, 0xd1])])
    assert.isTrue((await textOf(hangul, "application/xhtml+xml")).endsWith("한"))
    const hidden = bytes("<!-- <meta charset=shift_jis> --><p>é")
    assert.isTrue((await textOf(hidden)).endsWith("é"))
  })

  it.each(["utf-16", "utf-16le", "utf-32", "unicode", "ucs-2", "ISO-10646-UCS-2", "csUnicode"])(
    "are UTF-8 where bytes of ASCII declare %s",
    async (label) => {
      const page = `<meta charset="${label}"><p>A deed costs 40 crowns, é.`
      assert.strictEqual(await textOf(bytes(page)), page)
    }
  )

  it("are declared by an element of the page, as browsers read it", async () => {
    const declared: ReadonlyArray<readonly [head: string, isBig5: boolean]> = [
      ["<META CHARSET=\"Big5\">", true],
      ["<meta charset = big5 >", true],
      ["<meta/charset=big5>", true],
      ["<meta charset=nonsense><meta charset=big5>", true],
      [`<script>${"x".repeat(9_000)}</script><meta charset=big5>`, true],
      ["<meta content='text/html; charset=big5' http-equiv=Content-Type>", true],
      ["<meta name=description content='charset=big5'>", false],
      ["<p title='<meta charset=big5>'>", false],
      ["<meta name=a charset=big5", false]
    ]
    for (const [head, isBig5] of declared) {
      const body = Buffer.concat([bytes(head), Buffer.from([0xa4, 0xa4])])
      assert.strictEqual((await textOf(body)).endsWith("中"), isBig5, head)
    }
  })

  const sentences: ReadonlyArray<readonly [label: string, sentence: string]> = [
    ["shift_jis", "登記の手数料は四十円である。受付は月曜日から金曜日までです。"],
    ["euc-jp", "登記の手数料は四十円である。受付は月曜日から金曜日までです。"],
    ["euc-kr", "가옥 등기 수수료가 사십 크라운이다. 등기는 영업일 열흘 안에 이루어진다."],
    ["gb18030", "房屋登记费为四十克朗。申请须在三个月内以书面形式提交。"],
    ["big5", "房屋登記費為四十克朗。申請須在三個月內以書面形式提交。"],
    ["windows-1251", "Сбор за регистрацию дома составляет сорок крон."],
    ["koi8-r", "Сбор за регистрацию дома составляет сорок крон."],
    [
      "windows-1250",
      "Opłata za wpis domu do rejestru wynosi pięćset koron. Wniosek należy złożyć."
    ],
    ["windows-1253", "Το τέλος για την εγγραφή κατοικίας ανέρχεται σε πεντακόσιες κορώνες."],
    [
      "windows-1254",
      "Başvuru süresinden sonra yapılırsa ücret iki katına çıkar. Müdürlük kapalıdır."
    ],
    ["windows-1255", "האגרה בעד רישום בית במרשם היא חמש מאות כתרים."],
    ["windows-1256", "رسم تسجيل المنزل في السجل هو خمسمائة كرونة."],
    ["windows-874", "ค่าธรรมเนียมการจดทะเบียนบ้านคือห้าร้อยบาท"],
    ["windows-1252", "Die Gebühr für die Eintragung eines Hauses beträgt fünfhundert Kronen."],
    ["windows-1252", "Le délai de préavis à Halvern est d’un mois, même pour un étudiant étranger."]
  ]
  it.each(sentences)(
    "are told by the words where none is declared: %s",
    async (label, sentence) => {
      const page = `<html><title>1</title><p class="lead">${sentence}</p>`
      assert.strictEqual(await textOf(encodedIn(label, page)), page)
      // Nor does a declaration of UTF-8 make it so.
      assert.strictEqual(await textOf(encodedIn(label, page), "text/html; charset=utf-8"), page)
    }
  )

  it.each(sentences)(
    "are not the West's because a tool always says so: %s",
    async (label, sentence) => {
      const page = `<meta charset="iso-8859-1"><p>${sentence.repeat(2)}`
      assert.strictEqual(await textOf(encodedIn(label, page)), page)
    }
  )

  it.each([
    ["iso-8859-7", "windows-1253", "Άδεια: 36 €"],
    ["iso-8859-2", "windows-1250", "šest žádostí – “řidič”"],
    ["iso-8859-5", "windows-1251", "Сбор – 40 рублей"],
    ["iso-8859-8", "windows-1255", "האגרה – 40 ₪"],
    ["iso-8859-13", "windows-1257", "mokestis – 5 €"]
  ])("are those of Windows where %s has only controls", async (label, windows, words) => {
    assert.strictEqual(
      await textOf(encodedIn(windows, words), `text/html; charset=${label}`),
      words
    )
  })

  it("are those declared where Windows would lose letters", async () => {
    const body = Buffer.concat([encodedIn("iso-8859-2", "Wąż śpi"), Buffer.from([0x92])])
    assert.strictEqual(await textOf(body, "text/html; charset=iso-8859-2"), "Wąż śpi\x92")
  })

  const words = Schema.Array(
    Schema.Literals(["Gebühr", "für", "手数料", "приём", "é", "fee", "€40"])
  )
  it.effect.prop(
    "are UTF-8 but for a byte that was cut off, whatever the text",
    [words, Schema.Natural],
    ([some, at]) =>
      Effect.gen(function*() {
        const whole = `für Häuser 手数料 ${some.join(" ")}`
        const body = bytes(whole)
        const cut = at % (body.length - 1)
        const left = Buffer.concat([body.subarray(0, cut), body.subarray(cut + 1)])
        const text = yield* Charset.textOf(left, "text/html")
        assert.strictEqual(text, new TextDecoder().decode(left))
      })
  )
})
