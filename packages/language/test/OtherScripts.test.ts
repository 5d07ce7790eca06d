/** Texts in scripts and languages beyond the ten: sentences, words, joiners and signs off the line. */
import { assert, describe, it } from "@effect/vitest"
import { chunksOfText } from "../src/passages/Chunking.ts"
import * as KeySentences from "../src/statements/KeySentences.ts"
import * as QuotedPassage from "../src/statements/QuotedPassage.ts"
import { quantities } from "../src/text/Quantities.ts"
import { clean } from "../src/text/Sentences.ts"
import { words } from "../src/text/Words.ts"

const pages: ReadonlyArray<readonly [question: string, answer: string, more: string]> = [
  [
    "हाल्वर्न में घर के पंजीकरण का शुल्क कितना है?",
    "हाल्वर्न में घर के पंजीकरण का शुल्क पाँच सौ क्राउन है।",
    " कार्यालय सोमवार को बंद रहता है।"
  ],
  ["হালভার্নে বাড়ি নিবন্ধনের ফি কত?", "হালভার্নে বাড়ি নিবন্ধনের ফি পাঁচশো ক্রাউন।", " অফিস সোমবার বন্ধ থাকে।"],
  [
    "ஹால்வெர்னில் வீடு பதிவு கட்டணம் எவ்வளவு?",
    "ஹால்வெர்னில் வீடு பதிவு கட்டணம் 500 கிரவுன்.",
    " அலுவலகம் திங்கள் மூடப்படும்."
  ],
  [
    "كم رسم تسجيل منزل في هالفرن؟",
    "رسم تسجيل منزل في هالفرن هو 500 كرونة منذ مايو 2026.",
    " هل تعرف المكتب؟ المكتب مغلق يوم الاثنين."
  ],
  [
    "ہالورن میں گھر کی رجسٹریشن کی فیس کتنی ہے؟",
    "ہالورن میں گھر کی رجسٹریشن کی فیس پانچ سو کراؤن ہے۔",
    " دفتر پیر کو بند رہتا ہے۔"
  ],
  [
    "هزینه ثبت خانه در هالورن چقدر است؟",
    "هزینه‌ی ثبت خانه در هالورن ۵۰۰ کرون است.",
    " دفتر دوشنبه‌ها بسته است."
  ],
  [
    "כמה עולה רישום בית בהלברן?",
    "אגרת רישום בית בהלברן היא 500 כתרים ממאי 2026.",
    " המשרד סגור ביום שני."
  ],
  [
    "Lệ phí đăng ký nhà ở Halvern là bao nhiêu?",
    "Lệ phí đăng ký nhà ở Halvern là 500 curon từ tháng 5 năm 2026.",
    " Văn phòng đóng cửa vào thứ hai."
  ],
  [
    "Πόσο κοστίζει η εγγραφή κατοικίας στο Χάλβερν;",
    "Η εγγραφή κατοικίας στο Χάλβερν κοστίζει 500 κορώνες από τον Μάιο του 2026.",
    " Το γραφείο είναι κλειστό τη Δευτέρα."
  ],
  [
    "Halvern'de ev tescil ücreti ne kadar?",
    "Halvern'de ev tescil ücreti Mayıs 2026'dan beri 500 krondur.",
    " Ofis pazartesi günleri kapalıdır."
  ],
  [
    "Скільки коштує реєстрація будинку в Халверні?",
    "Реєстрація будинку в Халверні коштує 500 крон з травня 2026 року.",
    " Офіс зачинено в понеділок."
  ],
  [
    "Որքա՞ն է տան գրանցման վճարը Հալվերնում",
    "Հալվերնում տան գրանցման վճարը 500 կրոն է։",
    " Գրասենյակը փակ է երկուշաբթի։"
  ],
  ["በሃልቨርን የቤት ምዝገባ ክፍያ ስንት ነው?", "በሃልቨርን የቤት ምዝገባ ክፍያ 500 ዘውድ ነው።", " ቢሮው ሰኞ ዝግ ነው።"],
  ["ថ្លៃចុះបញ្ជីផ្ទះនៅហាល់វើនប៉ុន្មាន?", "ថ្លៃចុះបញ្ជីផ្ទះនៅហាល់វើនគឺ 500 ក្រោន។", " ការិយាល័យបិទនៅថ្ងៃចន្ទ។"],
  [
    "ค่าธรรมเนียมจดทะเบียนบ้านในฮาลเวิร์นเท่าไร?",
    "ค่าธรรมเนียมจดทะเบียนบ้านในฮาลเวิร์นคือ 500 คราวน์ตั้งแต่เดือนพฤษภาคม",
    "\nสำนักงานปิดทำการในวันจันทร์และวันหยุดราชการของทุกปี"
  ]
]

describe("a text in any script", () => {
  it.each(pages)("answers by a sentence of its own: %s", (question, answer, more) => {
    const [best] = KeySentences.select(question, [{ text: answer + more, title: "", page: "p" }], 3)
    assert.strictEqual(best?.text, answer)
    assert.isAbove(best?.coverage ?? 0, 0.3)
  })

  it.each([
    [
      "हाल्वर्न कार्यालय की अर्ज़ी का शुल्क कितना है?",
      "हाल्वर्न का मुख्य कार्यालय सोमवार को नौ बजे खुलता है।",
      "अर्ज़ी शुल्क परिवारों के लिए 500 क्राउन होगा।"
    ],
    [
      "كم هو رسم طلب مكتب هالفرن؟",
      "مكتب هالفرن هو في شارع الميناء.",
      "رسم طلب السكن 500 كرونة سنويا."
    ]
  ])(
    "answers by what is asked, and not by words of every sentence: %s",
    (question, first, answer) => {
      const text = `${first} ${answer}`
      const [best] = KeySentences.select(question, [{ text, title: "", page: "p" }], 1)
      assert.include(best?.text, answer)
    }
  )

  it.each(pages)("is cut into passages between its sentences: %s", (_, answer, more) => {
    const text = (answer + more).replaceAll("\n", " ").concat(" ").repeat(80)
    const passages = chunksOfText(text)
    assert.isAbove(passages.length, 1)
    if (/[\p{scx=Thai}]/u.test(answer)) return
    for (const { end, start } of passages) {
      assert.match(text.slice(start, end).trimEnd(), /\p{STerm}$/u)
    }
  })
})

describe("a joiner", () => {
  it.each([
    ["نامه‌ها را نمی‌پذیرد", 0],
    ["क्‍ष और क्‌ष", 0],
    ["👨‍👩‍👧 and ❤️", 0],
    ["in\u200cvis\u200dible", 2],
    ["نا\u200c\u200cمه", 2],
    ["\u200cنامه\u200c", 2],
    ["a\u200d👩", 1],
    ["1\ufe0f2", 1]
  ])("stays where it spells or joins, and goes elsewhere: %s", (text, removed) => {
    const cleaned = clean(text)
    assert.strictEqual(cleaned.removedCount, removed)
    assert.deepStrictEqual(clean(cleaned.text), { text: cleaned.text, removedCount: 0 })
    if (removed === 0) assert.strictEqual(cleaned.text, text)
  })

  it("is no part of a word that is looked for, nor of a quotation's words", () => {
    assert.deepStrictEqual(words("نمی‌پذیرد"), words("نمیپذیرد"))
    assert.deepStrictEqual(
      QuotedPassage.tokens("نمی‌پذیرد").map(({ word }) => word),
      QuotedPassage.tokens("نمیپذیرد").map(({ word }) => word)
    )
  })
})

describe("a raised digit", () => {
  it.each([
    ["It costs $500³ since May.", [500]],
    ["It costs $500^3 since May.", [500]],
    ["It holds 10⁶ deeds.", [1_000_000]],
    ["It holds 10^6 deeds.", [1_000_000]],
    ["It has 40 m² of land.", [40]],
    ["It has 40 m^2 of land.", [40]]
  ])("is none of the number before it: %s", (text, values) => {
    const found = quantities(text).map(({ value }) => value)
    assert.deepStrictEqual(found.slice(0, values.length), values)
    assert.notInclude(found, 5_003)
    assert.notInclude(found, 106)
  })

  it("is found by no quotation of another number", () => {
    const tokens = (text: string) => QuotedPassage.tokens(text).map(({ word }) => word)
    assert.notInclude(tokens("$500³"), "5003")
    assert.notInclude(words("10⁶ deeds"), "106")
  })
})
