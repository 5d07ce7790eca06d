/**
 * Units beside a number that say what it counts: a currency, a length, a half of the day. A word
 * that names several ("dollars", "pounds") gives each of them.
 */

const dollars = ["usd", "aud", "cad", "hkd", "nzd", "sgd", "twd"]

/** Forms before a number, the narrowest first. */
const leading: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["(?:US|U\\.S\\.)\\s?\\$|USD\\s?", ["usd"]],
  ["(?:AU|A)\\$|AUD\\s?", ["aud"]],
  ["(?:CA|C)\\$|CAD\\s?", ["cad"]],
  ["HK\\$|HKD\\s?", ["hkd"]],
  ["NZ\\$|NZD\\s?", ["nzd"]],
  ["S\\$|SGD\\s?", ["sgd"]],
  ["NT\\$|TWD\\s?", ["twd"]],
  ["\\$\\s?", dollars],
  ["€\\s?|EUR\\s?", ["eur"]],
  ["£\\s?|GBP\\s?", ["gbp"]],
  ["JPY\\s?", ["jpy"]],
  ["CNY\\s?|RMB\\s?", ["cny"]],
  ["[¥￥]\\s?", ["jpy", "cny"]],
  ["₩\\s?|KRW\\s?", ["krw"]],
  ["₽\\s?|RUB\\s?", ["rub"]],
  ["₹\\s?|INR\\s?|Rs\\.?\\s?", ["inr"]],
  ["CHF\\s?", ["chf"]],
  ["(?:午前|오전|上午)\\s?", ["am"]],
  ["(?:午後|오후|下午)\\s?", ["pm"]]
]
/** Forms after a number, the narrowest first. */
const following: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["(?:US|U\\.S\\.|American)[\\s\\-]dollars?|USD|米ドル|美元|미국\\s?달러", ["usd"]],
  ["Australian[\\s\\-]dollars?|AUD|豪ドル|澳元", ["aud"]],
  ["Canadian[\\s\\-]dollars?|CAD|カナダドル|加元", ["cad"]],
  ["Hong Kong[\\s\\-]dollars?|HKD|港元|香港ドル", ["hkd"]],
  ["dollars?|dólares|dollari|долл\\p{L}*|\\$|ドル|달러", dollars],
  ["euros?|EUR|€|евро|ユーロ|유로|欧元|歐元", ["eur"]],
  ["(?:British[\\s\\-])?pounds? sterling|GBP|£|英ポンド|英镑|英鎊", ["gbp"]],
  ["lbs?", ["lb"]],
  ["pounds?|Pfund|livres|libras|ポンド|파운드", ["gbp", "lb"]],
  ["yen|JPY|円|엔(?!진)|日元|日圆|иен\\p{L}*", ["jpy"]],
  ["won|KRW|원(?!칙|인|래)|ウォン|韩元|韓元", ["krw"]],
  ["yuan|renminbi|RMB|CNY|人民元|위안|元|юан\\p{L}*", ["cny"]],
  ["rubl?es?|roubles?|RUB|₽|руб\\p{L}*", ["rub"]],
  ["rupees?|INR|₹", ["inr"]],
  ["(?:Swiss )?francs?|CHF|Franken", ["chf"]],
  ["(?:km/h|kph|kmh)|kilomet(?:er|re)s? per hour|時速", ["kmh"]],
  ["mph|miles? per hour", ["mph"]],
  ["(?:square|sq\\.?) k(?:m|ilomet(?:er|re)s?)|km²|km2", ["km2"]],
  ["(?:square|sq\\.?) miles?", ["mile2"]],
  ["(?:square|sq\\.?) m(?:et(?:er|re)s?)?|m²|m2|平方メートル|㎡|제곱미터|平方米", ["m2"]],
  ["(?:square|sq\\.?) (?:feet|foot|ft)", ["ft2"]],
  ["km|kilom\\p{L}+|キロメートル|킬로미터|公里|км", ["km"]],
  ["miles?|mi|Meilen|millas|マイル|마일|英里", ["mile"]],
  ["cm|centim\\p{L}+|センチ(?:メートル)?|센티미터|厘米", ["cm"]],
  ["mm|millim\\p{L}+|ミリ(?:メートル)?|毫米", ["mm"]],
  ["met(?:er|re)s?|Metern?|metros?|mètres?|metri|m|メートル|미터|米(?!国|ドル)|метр\\p{L}*", ["m"]],
  ["feet|foot|ft|フィート|피트|英尺", ["ft"]],
  ["inch(?:es)?|インチ|인치|英寸", ["inch"]],
  ["kg|kilos?|kilograms?|Kilogramm|キログラム|킬로그램|公斤|千克|кг", ["kg"]],
  ["キロ|킬로", ["km", "kg"]],
  ["grams?|Gramm|grammes?|gramos|g|グラム|그램|克", ["g"]],
  ["ounces?|oz|オンス|온스", ["oz"]],
  ["tonnes?|tons?|Tonnen|トン|톤|吨|噸", ["tonne"]],
  ["°\\s?C|℃|(?:degrees? )?Celsius|摄氏度", ["celsius"]],
  ["°\\s?F|℉|(?:degrees? )?Fahrenheit|华氏度", ["fahrenheit"]],
  ["lit(?:er|re)s?|Litern?|litros?|リットル|리터|升", ["litre"]],
  ["gallons?|ガロン|갤런|加仑", ["gallon"]],
  ["kWh", ["kwh"]],
  ["hectares?|ha|ヘクタール|헥타르|公顷", ["hectare"]],
  ["acres?|エーカー|에이커|英亩", ["acre"]],
  [
    "(?::\\d\\d)?\\s?(?:a\\.\\s?m\\.|am|in the morning|Uhr (?:morgens|früh|vormittags)|" +
    "heures? du matin|de la mañana|da manhã|del mattino|утра)",
    ["am"]
  ],
  [
    "(?::\\d\\d)?\\s?(?:p\\.\\s?m\\.|pm|in the (?:afternoon|evening)|Uhr (?:abends|nachmittags)|" +
    "heures? (?:du soir|de l['’]après-midi)|de la (?:tarde|noche)|da (?:tarde|noite)|" +
    "del pomeriggio|di sera|вечера)",
    ["pm"]
  ]
]
const beforeForms = leading.map(([form, measures]) =>
  [new RegExp(`(?<!\\p{L})(?:${form})$`, "u"), measures] as const
)
const afterForms = following.map(([form, measures]) => {
  const latin = "(?![\\p{L}--[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]])"
  return [new RegExp(`^[\\s\\-]{0,2}(?:${form})${latin}`, "iv"), measures] as const
})

/** Read on either side, in UTF-16 code units; the longest form is shorter. */
const besideChars = 32

/**
 * Names of what a number counts, as the text beside it tells; empty when it does not. `start` and
 * `end` are of the number itself.
 */
export const unitsBeside = (text: string, start: number, end: number): ReadonlyArray<string> => {
  const before = text.slice(Math.max(0, start - besideChars), start)
  const after = text.slice(end, end + besideChars)
  return beforeForms.find(([form]) => form.test(before))?.[1] ??
    afterForms.find(([form]) => form.test(after))?.[1] ?? []
}

/** Whether two numbers may count the same thing: their measures share one, or either is unknown. */
export const mayAgree = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === 0 || right.length === 0 || left.some((measure) => right.includes(measure))
