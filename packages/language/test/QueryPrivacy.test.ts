import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isAskedFor, strip } from "../src/privacy/QueryPrivacy.ts"

const told: ReadonlyArray<readonly [text: string, canary: string, subject: string]> = [
  ["My employee number is 4471-A. How much leave is usual?", "4471", "How much leave is usual?"],
  ["004111 1111 1111 1111 is no card, or is it?", "1111", "is no card, or is it?"],
  ["https://a.example/c?d=e+49 170 1234567 scam call", "1234567", "scam call"],
  ["Can my wife Oona get a visa for Japan?", "Oona", "get a visa for Japan"],
  ["Can my landlord Thandiwe raise the rent?", "Thandiwe", "raise the rent"],
  ["I owe 48,317.62 euros. Can I repay a mortgage early?", "48,317", "repay a mortgage early"],
  ["My pension pot is $183,457. When may I draw it?", "183,457", "When may I draw it"],
  ["Hi, Ben here. Is jaywalking legal in NYC?", "Ben", "Is jaywalking legal in NYC?"],
  ["I, Anna Kowalska, rent in Warsaw. Notice period?", "Kowalska", "rent in Warsaw"],
  ["I'm Tom, a tenant. What notice do I give?", "Tom", "What notice do I give?"],
  ["Ich bin Anna Schmidt, darf mein Vermieter kündigen?", "Anna", "darf mein Vermieter kündigen?"],
  ["user id: jdoe1987 how to delete a Reddit account", "jdoe1987", "delete a Reddit account"],
  ["order #A1234-99881 refund rights EU", "99881", "refund rights EU"],
  ["저 김민지인데요 연차 며칠인가요", "김민지", "연차 며칠인가요"],
  ["田中一郎ですが、年金の手続きは？", "田中一郎", "年金の手続きは"],
  ["我叫王小明，签证怎么办", "王小明", "签证怎么办"],
  [
    "My email is jane.doe+tax@example.co.uk, what is the VAT rate in Germany?",
    "jane.doe",
    "VAT rate in Germany"
  ],
  ["Reply to hong.gildong@naver.com about jeonse law", "hong.gildong", "jeonse law"],
  [
    "call me at +82 10-1234-5678 about the visa rules in Korea",
    "1234-5678",
    "visa rules in Korea"
  ],
  [
    "my number is (415) 555-2671, when does early voting start in California",
    "555-2671",
    "early voting start in California"
  ],
  ["phone 090-1234-5678 東京の家賃相場は？", "1234-5678", "東京の家賃相場は"],
  [
    "전화번호는 010-9876-5432 입니다. 서울 전세 보증금 보호 제도는?",
    "9876-5432",
    "서울 전세 보증금 보호 제도"
  ],
  ["06 12 34 56 78 préavis de bail à Paris", "34 56 78", "préavis de bail à Paris"],
  [
    "Is a transfer to DE89 3704 0044 0532 0130 00 protected by SEPA rules?",
    "3704",
    "protected by SEPA rules"
  ],
  ["My card 4111 1111 1111 1111 was charged in Rome, refund rights?", "1111", "charged in Rome"],
  [
    "card 5500-0000-0000-0004 foreign transaction fee rules",
    "5500",
    "foreign transaction fee rules"
  ],
  ["Amex 3782 822463 10005 dispute deadline", "822463", "dispute deadline"],
  [
    "My account number is 12345678, is the deposit insured up to $250,000?",
    "12345678",
    "insured up to $250,000"
  ],
  ["passport number M12345678 renewal time in Korea", "M12345678", "renewal time in Korea"],
  [
    "My SSN is 078-05-1120. Can a landlord ask for it in Texas?",
    "078-05-1120",
    "landlord ask for it in Texas"
  ],
  ["주민등록번호 900101-1234567 유출 시 법적 대응", "1234567", "유출 시 법적 대응"],
  ["マイナンバーは1234-5678-9012です。確定申告の期限は？", "5678", "確定申告の期限は"],
  ["口座番号：1234567です。ペイオフの上限は1000万円ですか", "1234567", "ペイオフの上限は1000万円"],
  [
    "My name is John Smith, what is the notice period in Berlin?",
    "Smith",
    "notice period in Berlin"
  ],
  [
    "my name is john and I want to know tipping customs in Japan",
    "john",
    "tipping customs in Japan"
  ],
  [
    "I'm Maria Garcia and I rent in Madrid. Can my landlord evict me?",
    "Garcia",
    "Can my landlord evict me"
  ],
  [
    "I am Priya Raman, what visas allow work in Canada?",
    "Raman",
    "what visas allow work in Canada"
  ],
  [
    "This is Rhona Pell speaking. Are bank holidays paid in the UK?",
    "Pell",
    "bank holidays paid in the UK"
  ],
  [
    "Call me Zoltan. What is the etiquette at a Hungarian wedding?",
    "Zoltan",
    "etiquette at a Hungarian wedding"
  ],
  [
    "My landlord Peter Novak keeps the deposit; is it legal in Prague?",
    "Novak",
    "is it legal in Prague"
  ],
  [
    "my wife Yuki Tanaka has a spouse visa in Japan, can she work?",
    "Tanaka",
    "spouse visa in Japan"
  ],
  [
    "Name: Alice Johnson. Question: minimum wage in Oregon 2025",
    "Johnson",
    "minimum wage in Oregon 2025"
  ],
  ["What is the dress code at Ascot? Regards, Emma Watts", "Watts", "dress code at Ascot"],
  ["제 이름은 김철수입니다. 육아휴직 기간은 얼마인가요?", "김철수", "육아휴직 기간은 얼마인가요"],
  [
    "저는 박영희라고 합니다. 도쿄 쓰레기 분리수거 규칙 알려주세요",
    "박영희",
    "도쿄 쓰레기 분리수거 규칙"
  ],
  ["저는 이민호입니다 최저임금이 얼마예요", "이민호", "최저임금이 얼마예요"],
  ["성명: 최지우 여권 재발급 방법", "최지우", "여권 재발급 방법"],
  ["私の名前は山田太郎です。敷金の返還ルールは？", "山田太郎", "敷金の返還ルールは"],
  ["佐藤花子と申しますが、ビザの更新期限を教えてください", "佐藤花子", "ビザの更新期限"],
  ["私は田中です。有給は何日ですか", "田中", "有給は何日ですか"],
  ["氏名：鈴木一郎 在留カードの更新手続き", "鈴木一郎", "在留カードの更新手続き"],
  [
    "I live at 221B Baker Street, London. What are parking permit rules in London?",
    "221B",
    "parking permit rules in London"
  ],
  [
    "1600 Amphitheatre Parkway, Apt 4B noise ordinance in Mountain View",
    "Amphitheatre",
    "noise ordinance in Mountain View"
  ],
  [
    "My address is 742 Evergreen Terrace, IL 62704. recycling rules Illinois?",
    "Evergreen",
    "recycling rules Illinois"
  ],
  ["Musterstraße 12 Mietspiegel München", "Musterstraße 12", "Mietspiegel München"],
  [
    "12 rue de la Paix encadrement des loyers Paris",
    "rue de la Paix",
    "encadrement des loyers Paris"
  ],
  ["서울 강남구 테헤란로 152, 101동 1203호 주차 조례", "152", "주차 조례"],
  ["西新宿2-8-1 の賃貸の更新料は違法ですか", "2-8-1", "賃貸の更新料は違法ですか"],
  ["東京都港区芝公園4丁目2番8号 ペット可物件の規則", "2番8号", "ペット可物件の規則"],
  ["〒150-0001 ゴミの分別ルール", "150-0001", "ゴミの分別ルール"],
  ["council tax SW1A 2AA band", "2AA", "council tax"],
  ["DM @jane_doe99 about the tipping norms in Seoul", "jane_doe99", "tipping norms in Seoul"],
  [
    "https://bank.example.com/login?token=abc123secret is this phishing",
    "abc123secret",
    "bank.example.com"
  ],
  ["https://user:hunter2@example.org/x what is this site", "hunter2", "what is this site"],
  [
    "see https://app.example.com/invite/9f8e7d6c5b4a3210 privacy policy",
    "9f8e7d6c",
    "privacy policy"
  ],
  ["my api key sk-proj-abcdEFGH1234567890 leaked, what to do", "abcdEFGH", "leaked, what to do"],
  ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc jwt expiry", "eyJhbGci", "jwt expiry"],
  [
    "my password is hunter2! how to reset a Google account",
    "hunter2",
    "how to reset a Google account"
  ],
  ["I was born on 12 March 1985, pension age in France?", "March 1985", "pension age in France"],
  ["생년월일은 1985년 3월 12일 국민연금 수령 나이", "1985", "국민연금 수령 나이"],
  ["生年月日は1985年3月12日 年金の受給年齢", "1985", "年金の受給年齢"],
  ["Ｍｙ email is ｊａｎｅ＠example.com tax deadline 2025", "jane", "tax deadline 2025"],
  ["customer number 88123456 warranty law EU", "88123456", "warranty law EU"],
  [
    "my card is 4111111111111111, can I dispute a charge in Japan?",
    "4111",
    "can I dispute a charge in Japan"
  ],
  ["我的手机号是13812345678，签证怎么办", "1381", "签证怎么办"],
  ["签证问题请联系jane@example.com谢谢", "jane", "签证问题请联系"],
  ["My wife Maria Gonzalez needs a visa for Japan", "onzalez", "needs a visa for Japan"],
  ["My son's name is Tom Baker. School age in Spain?", "Baker", "School age in Spain"],
  ["MY NAME IS JOHN SMITH. VISA RULES IN PERU?", "SMITH", "VISA RULES IN PERU"],
  [
    "Ich heiße Peter Müller und miete in Berlin. Welche Frist gilt?",
    "Müller",
    "miete in Berlin. Welche Frist gilt"
  ],
  ["Ich bin Anna Schmidt, darf mein Vermieter kündigen?", "Schmidt", "darf mein Vermieter"],
  ["Soy Juan Pérez, ¿qué visa necesito?", "Pérez", "qué visa necesito"],
  [
    "patient Robert Oppenheimer, DOB 04/22/1964, which vaccines are due in Spain?",
    "Oppenheimer",
    "which vaccines are due in Spain"
  ],
  ["Ich bin am 22. April 1964 geboren, welches Rentenalter gilt?", "1964", "welches Rentenalter"]
]

/** Institutions, years, amounts, places and people in public: what the question is about. */
const subjects: ReadonlyArray<string> = [
  "Can my landlord refuse Medicaid?",
  "Muss mein Bruder Erbschaftsteuer zahlen?",
  "I owe 50,000 euros on my mortgage. Can I repay early?",
  "Does a gift of $183,457 to a child need a tax form?",
  "按GB/T 17215.321-2021标准误差允许多少?",
  "BGH VIII ZR 185/14 Zusammenfassung",
  "What is 127.0.0.1?",
  "Inflation 2019 2020 2021 Japan",
  "What is 100000000000 won in dollars?",
  "What is it like to live here, and there?",
  "田中角栄はいつ首相でしたか",
  "나 이직하려는데 퇴직금은?",
  "What did the Bank of Japan decide in 2025?",
  "Is a 30 days notice period legal in Berlin?",
  "I am Korean, can I work in Japan?",
  "I'm American and want to retire in Portugal",
  "Who is Elon Musk?",
  "What is Rule 5 of the IRPCS 1972?",
  "Was John F. Kennedy born in 1917?",
  "I am Muslim, what food is halal in Japan?",
  "Population of India 1,428,627,663",
  "What is 100000000 won in dollars?",
  "ISO 27001 versus SOC 2",
  "Boeing 737-800 range",
  "What happened between 2019-2023?",
  "Meeting on 2025-01-02 holiday in Japan?",
  "RFC 9110 section 15",
  "Is @ allowed in usernames?",
  "앞으로 30일 안에 해지하면 위약금?",
  "최대로 30일까지 체류 가능한가요?",
  "저는 한국인입니다 일본 비자 필요한가요",
  "저는 유학생인데 알바 가능한가요",
  "저는 세입자입니다 보증금은?",
  "私は日本人です。韓国のビザは必要ですか",
  "私は会社員です。副業は違法ですか",
  "令和7年の最低賃金は",
  "2025年の東京の家賃相場",
  "서울 종로구 월세 시세",
  "종로3가 맛집",
  "Is Section 8 housing available in Texas?",
  "What is the 14th Amendment?",
  "Dow Jones 40000",
  "$1,000,000 inheritance tax",
  "US-31-24 highway",
  "iPhone 15 Pro Max price",
  "flight DL123 status",
  "Directive 2011/83/EU withdrawal right 14 days",
  "Regulation (EU) 2016/679",
  "GPT-4o vs Claude 3.5",
  "COVID-19 vaccine 2024-2025",
  "the Apollo 11 landing 1969",
  "Call me by your name filming location",
  "What does my landlord owe me?",
  "My boss wants me to work Sunday in France",
  "https://www.gov.uk/tenancy-deposit",
  "Dr. Fauci career",
  "911 or 112 in Germany?",
  "401k to Roth IRA 2025 limits",
  "What is IBAN?",
  "phone number format in Japan",
  "Is it legal to record a call in California?",
  "email etiquette in Japan",
  "business card etiquette in Japan",
  "I am in Osaka now, is tipping rude?",
  "What is my name day in Poland?",
  "BTS member 7명",
  "お辞儀の角度は30度ですか",
  "第2次世界大戦",
  "1-800 numbers in the US",
  "What password is required for Wi-Fi on Shinkansen?",
  "Is passcode sharing legal in the UK?",
  "Who is Robert Oppenheimer?",
  "When is Robert Oppenheimer's date of birth?",
  "Wer ist Angela Merkel?",
  "Qui est Marie Curie?",
  "¿Quién es Pedro Sánchez?",
  "Chi è Sergio Mattarella?",
  "习近平是谁",
  "岸田文雄は誰ですか",
  "이순신은 누구인가요",
  "Who designed Princess Leia's hair?",
  "Who signed Kanye West in 2022?",
  "Who sings \"It's Raining\"?",
  "Kann meine Frau Kindergeld bekommen?",
  "Ich bin Student und suche Arbeit",
  "Je suis Français, quel visa?",
  "我是高中生,签证怎么办",
  "我叫外卖要给小费吗",
  "Is the visa point at Heathrow point to point?",
  "What was the dot-com bubble at Amazon.com?",
  "What is a salary at booking.com?",
  "SSN wage base 2024 2025",
  "What is the DNI in Spain?",
  "How is a Steuer-ID made up?",
  "birthday of the king 27 April",
  "My boss Korean holiday",
  "Prices of 2,500.50 or 3.141592653589",
  "It's Brooklyn, not Queens. What is the rent?",
  "Who is Judge Aileen Cannon?",
  "I'm Irish. Do I need a visa?",
  "À qui Simone de Beauvoir a-t-elle dédié Le Deuxième Sexe?"
]

describe("query privacy", () => {
  it.each(told)("takes the personal part out of: %s", (text, canary, subject) => {
    const stripped = strip(text)
    assert.notInclude(stripped.toLowerCase(), canary.toLowerCase())
    assert.include(stripped, subject)
    assert.strictEqual(strip(stripped), stripped)
  })

  it.each(subjects)("leaves alone: %s", (text) => {
    assert.strictEqual(strip(text), text.normalize("NFKC"))
  })

  it("leaves nothing of a text that is only personal", () => {
    assert.strictEqual(strip("jane.doe@example.com, +49 170 1234567"), "")
  })

  it("leaves no gap where something was", () => {
    assert.strictEqual(
      strip("My name is John Smith, my email is john@example.com, is subletting legal in Rome?"),
      "is subletting legal in Rome?"
    )
  })

  it.prop("never lengthens a text, nor leaves blank ends", { text: Schema.String }, ({ text }) => {
    const stripped = strip(text)
    assert.strictEqual(stripped, stripped.trim())
    assert.isAtMost(stripped.length, text.normalize("NFKC").length)
  })
})

describe("what no user is asked for", () => {
  it.each([
    "What is your password?",
    "Which PIN do you use?",
    "Your credit card, please?",
    "暗証番号は何ですか",
    "비밀번호가 무엇인가요?",
    "您的验证码是多少？",
    "Wie lautet Ihr Passwort?",
    "Quel est votre mot de passe ?"
  ])("is seen in: %s", (text) => assert.isTrue(isAskedFor(text)))

  it.each([
    "Which visa type do you hold?",
    "How many people live in the flat?",
    "When did the lease begin, and what does it say about pins and screws in walls?",
    "Is the card accepted on trams?"
  ])("is not seen in: %s", (text) => assert.isFalse(isAskedFor(text)))
})
