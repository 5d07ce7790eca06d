/** A little of other languages: enough to tell a question and a fresh matter, not every subject. */
// dprint-ignore-file: word lists read as paragraphs
import { anywhere, type CuesOf, whole } from "./Cues.ts"

/** French, German, Spanish, Portuguese, Italian. Words that English also has are left out. */
export const european: CuesOf = {
  question: anywhere(
    "^(?:qui|quel(?:le)?s?|quoi|où|quand|pourquoi|combien|est-ce|qu['’]est|wer|wann|wo|warum|" +
      "wie|welche[rsnm]?|wieviel|wessen|gibt es|quién(?:es)?|qué|cuál(?:es)?|cuándo|dónde|" +
      "cuánt[oa]s?|cómo|por qué|quem|qual|quando|onde|quantos?|quantas?|chi|quale|dove|quanto|" +
      "quanti|perché) ",
    "[¿؟]|\\?\\s*$"
  ),
  culture: whole(
    "coutumes?", "étiquette", "politesse", "traditions?", "Sitten?", "Bräuche", "Höflichkeit",
    "Trinkgeld", "costumbres?", "modales", "propina", "usanze", "galateo", "pourboire"
  ),
  legal: whole(
    "lois?", "légal(?:e|ement)?", "illégal(?:e)?", "droits?", "préavis", "bail",
    "Gesetz(?:e|es)?", "gesetzlich", "legale?", "Kündigungsfrist", "Mietrecht", "Visum",
    "Steuer(?:n|satz)?", "ley(?:es)?", "ilegal", "derechos?", "visado", "impuestos?", "alquiler",
    "contrato", "legge", "diritti", "lei", "leis", "direitos"
  ),
  make: whole(
    "écri(?:s|vez|re)", "rédige(?:z|r)?", "tradui(?:s|sez|re)", "schreib(?:e|en Sie)?",
    "übersetze?", "verfasse", "escrib(?:e|a|ir)", "traduce", "redacta", "scrivi", "traduci",
    "escreva", "traduza"
  ),
  makeAnywhere: whole(
    "poème", "histoire courte", "Gedicht", "Kurzgeschichte", "poema", "cuento", "poesia",
    "racconto"
  ),
  smallTalk: anywhere(
    "^(?:bonjour|salut|merci|bonsoir|hallo|danke|guten (?:tag|morgen|abend)|gracias|" +
      "buenos días|buenas|ciao|grazie|obrigad[oa]|olá)(?![\\p{L}])"
  ),
  live: whole(
    "météo", "Wetter", "Wechselkurs", "tiempo hace", "trafic", "Stau", "taux de change",
    "tipo de cambio"
  ),
  fresh: whole(
    "actuel(?:le)?(?:s|ment)?", "derni(?:er|ère)s?", "récent(?:e|s|es)?", "récemment",
    "aujourd['’]hui", "maintenant", "aktuell(?:e|en|er|es)?", "derzeit(?:ig\\w*)?",
    "neuest(?:e|en|er|es)", "heute", "jetzt", "kürzlich", "letzte[rns]?", "últim[oa]s?",
    "actualmente", "reciente(?:s|mente)?", "hoy", "ahora", "attuale", "ultim[oai]", "oggi",
    "recente", "hoje", "atual(?:mente)?"
  ),
  relative: whole(
    "cette année", "l['’]année dernière", "prochain(?:e|s)?", "dieses Jahr", "letztes Jahr",
    "nächste[rns]?", "seit", "depuis", "este año", "año pasado", "próxim[oa]s?", "desde",
    "prossim[oa]"
  ),
  superlative: whole(
    "(?:le|la|les) plus", "record", "größte[rns]?", "höchste[rns]?", "längste[rns]?",
    "reichste[rns]?", "älteste[rns]?", "meist\\w+", "más", "mayor", "il più", "la più", "mais"
  ),
  office: whole(
    "président(?:e)?", "premier ministre", "PDG", "roi", "Präsident(?:in)?",
    "Bundeskanzler(?:in)?", "Ministerpräsident(?:in)?", "König(?:in)?", "Trainer", "presidente",
    "primer ministro", "rey", "re"
  ),
  tally: whole(
    "combien", "population", "wie viele?", "Einwohner", "Bevölkerung", "cuánt[oa]s?", "población",
    "quantos", "quanti", "popolazione"
  ),
  age: whole("quel âge", "wie alt", "cuántos años", "quanti anni"),
  price: whole(
    "prix", "coûte(?:nt)?", "Preis(?:e)?", "kostet", "kosten", "precio", "cuesta", "prezzo",
    "costa"
  ),
  origin: whole(
    "né(?:e)?", "mort(?:e)?", "fond(?:é|ée|ateur)", "inventé", "écrit", "geboren", "gestorben",
    "starb", "gegründet", "erfunden", "schrieb", "nació", "murió", "fundó", "inventó", "escribió",
    "nato", "morto"
  ),
  fixed: whole(
    "capitale", "Hauptstadt", "capital", "signifie", "bedeutet", "significa", "pourquoi", "warum",
    "entfernung", "distance", "höhe"
  ),
  ordinal: whole(
    "premi(?:er|ère)", "erste[rns]?", "primer[oa]?", "zweite[rns]?", "deuxième", "segundo"
  ),
  past: whole("était", "a été", "war", "wurde", "wurden", "fue", "era"),
  holder: whole("qui est", "wer ist", "quién es", "chi è", "quem é")
}

/** Chinese, Russian, Arabic, Hebrew. */
export const further: CuesOf = {
  question: anywhere(
    "[?？؟]\\s*$", "吗", "什么|甚麼", "谁|誰", "多少", "哪(?!怕)", "怎么|怎樣", "为什么", "几(?:个|岁|年)",
    "(?:^|\\s)(?:кто|что|где|когда|почему|как|сколько|какой|какая|какое|какие|в каком)(?=\\s)",
    "^(?:من|ما|متى|أين|كم|كيف|لماذا|هل)\\s", "^(?:מי|מה|מתי|איפה|כמה|איך|למה|האם)\\s"
  ),
  culture: anywhere("文化", "礼仪|禮儀", "习俗|風俗", "传统", "обыча", "этикет", "традици"),
  legal: anywhere(
    "法律", "合法", "违法", "签证", "规定", "权利", "закон", "легальн", "виза|визу", "налог", "قانون", "חוק"
  ),
  make: anywhere("^(?:请)?(?:帮我)?写", "翻译(?:成|这)", "^напиши", "^переведи"),
  smallTalk: anywhere("^(?:你好|谢谢|再见|привет|спасибо|مرحبا|שלום|תודה)"),
  live: anywhere(
    "天气", "汇率", "路况", "погода|погоду", "курс (?:доллара|евро|валют)", "الطقس", "מזג האוויר"
  ),
  fresh: anywhere(
    "最新", "最近", "目前", "现在|現在", "当前", "现任", "今天", "последн", "текущ", "сейчас", "нынешн",
    "действующ", "недавн", "сегодня", "الحالي", "الآن", "أحدث", "الأخير", "הנוכחי", "האחרון",
    "עכשיו", "כיום"
  ),
  relative: anywhere(
    "今年", "去年", "明年", "上(?:一)?(?:届|周|个月|赛季)", "下(?:一)?(?:届|次|个)", "в этом году", "в прошлом году",
    "следующ", "назад", "هذا العام", "العام الماضي", "القادم", "השנה", "הבא"
  ),
  superlative: anywhere(
    "最(?!初|后|近|新)", "纪录", "самы[йхе]|самая|самое", "рекорд", "наибол", "الأكثر", "أكبر", "أعلى",
    "أغنى", "أطول", "הכי", "ביותר"
  ),
  office: anywhere(
    "总统", "总理", "首相", "主席", "国王", "冠军", "президент", "премьер", "глава", "король", "чемпион",
    "тренер", "رئيس", "ملك", "נשיא", "ראש ממשלת", "מלך", "אלוף"
  ),
  tally: anywhere(
    "多少", "人口", "几(?:个|位|次)", "сколько", "население|численность", "количество", "كم عدد",
    "عدد سكان", "כמה", "אוכלוסי"
  ),
  age: anywhere("多大|几岁|年龄", "сколько лет", "возраст", "كم عمر|عمر", "בן כמה|בת כמה|גיל"),
  price: anywhere("价格|多少钱|票价|费用", "цена|стоит|стоимость", "سعر|تكلفة|تبلغ تكلفة", "מחיר|עולה"),
  origin: anywhere(
    "出生|去世|发明|创立|创办|写的|谁写", "родил|умер|основал|изобрел|написал|построил|смерти|рождения",
    "ولد|توفي|مات|أسس|اخترع|كتب", "נולד|מת |נפטר|ייסד|הומצא|כתב"
  ),
  fixed: anywhere(
    "首都|意思|颜色|高度|距离|面积|为什么", "столица|означает|расстояние|высота|площадь|глубина|почему|цвет",
    "عاصمة|يعني|المسافة|ارتفاع|مساحة", "בירת|פירוש|המרחק|גובה|שטח"
  ),
  ordinal: anywhere("第[一二三]", "首(?:个|位|次|任)", "перв", "втор", "أول", "ראשו"),
  past: anywhere("был[аио]?\\s", "曾", "كان", "היה|הייתה"),
  holder: anywhere(
    "谁是|是谁", "кто (?:так|явля|сейчас)|^кто [а-я]+(?:ет|ит) ", "من هو", "מי (?:הוא|היא)"
  )
}
