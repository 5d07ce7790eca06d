/** A little of other languages: enough to tell a question and a fresh matter, not every subject. */
// dprint-ignore-file: word lists read as paragraphs
import { anywhere, type CuesOf, whole } from "./Cues.ts"

/** French, Spanish, Portuguese, Italian. Words that English also has are left out. */
export const romance: CuesOf = {
  question: anywhere(
    "^(?:qui|quel(?:le)?s?|quoi|où|quand|pourquoi|combien|est-ce|qu['’]est|" +
      "quién(?:es)?|qué|cuál(?:es)?|cuándo|dónde|" +
      "cuánt[oa]s?|cómo|por qué|quem|qual|quando|onde|quantos?|quantas?|chi|quale|dove|quanto|" +
      "quanti|perché) ",
    "[¿؟]|\\?\\s*$"
  ),
  culture: whole(
    "coutumes?", "étiquette", "politesse", "traditions?", "costumbres?", "modales", "propina",
    "usanze", "galateo", "pourboire"
  ),
  legal: whole(
    "lois?", "légal(?:e|ement)?", "illégal(?:e)?", "droits?", "préavis", "bail",
    "legale?", "ley(?:es)?", "ilegal", "derechos?", "visado", "impuestos?", "alquiler",
    "contrato", "legge", "diritti", "lei", "leis", "direitos"
  ),
  make: whole(
    "écri(?:s|vez|re)", "rédige(?:z|r)?", "tradui(?:s|sez|re)", "escrib(?:e|a|ir)", "traduce",
    "redacta", "scrivi", "traduci",
    "escreva", "traduza"
  ),
  makeAnywhere: whole(
    "poème", "histoire courte", "poema", "cuento", "poesia",
    "racconto"
  ),
  smallTalk: anywhere(
    "^(?:bonjour|salut|merci|bonsoir|gracias|" +
      "buenos días|buenas|ciao|grazie|obrigad[oa]|olá)(?![\\p{L}])"
  ),
  live: whole(
    "météo", "tiempo hace", "trafic", "taux de change",
    "tipo de cambio"
  ),
  fresh: whole(
    "actuel(?:le)?(?:s|ment)?", "derni(?:er|ère)s?", "récent(?:e|s|es)?", "récemment",
    "aujourd['’]hui", "maintenant", "últim[oa]s?",
    "actualmente", "reciente(?:s|mente)?", "hoy", "ahora", "attuale", "ultim[oai]", "oggi",
    "recente", "hoje", "atual(?:mente)?"
  ),
  relative: whole(
    "cette année", "l['’]année dernière", "prochain(?:e|s)?", "depuis", "este año",
    "año pasado", "próxim[oa]s?", "desde",
    "prossim[oa]"
  ),
  superlative: whole(
    "(?:le|la|les) plus", "numéro (?:1|un)", "jamais", "más", "mayor", "il più", "la più", "mais"
  ),
  office: whole(
    "président(?:e)?", "premier ministre", "PDG", "roi", "reine", "monarque", "monarca",
    "presidente",
    "primer ministro", "rey", "re"
  ),
  tally: whole(
    "combien", "population", "cuánt[oa]s?", "población",
    "quantos", "quanti", "popolazione"
  ),
  age: whole("quel âge a", "l['’]âge", "âge de", "cuántos años tiene", "quanti anni"),
  price: whole(
    "prix", "coûte(?:nt)?", "cours de", "l['’]action", "precio", "cuesta", "prezzo",
    "costa"
  ),
  origin: whole(
    "né(?:e)?", "mort(?:e)?", "fond(?:é|ée|ateur)", "inventé", "écrit", "guerre", "nació",
    "murió", "fundó", "inventó", "escribió",
    "nato", "morto"
  ),
  fixed: whole(
    "capitale", "capital", "signifie", "significa", "pourquoi", "distance", "fleuve", "montagne",
    "océan", "la mer", "lacs?", "île", "planète", "animaux", "poisson", "oiseau", "organe",
    "corps", "couleurs?", "frontière", "río", "montaña", "océano", "lagos?",
    "isla", "planeta", "animales", "pez", "órgano", "cuerpo", "colores", "fiume", "montagna",
    "oceano", "mare", "isola", "pianeta", "animale", "montanha"
  ),
  ordinal: whole(
    "premi(?:er|ère)", "primer[oa]?", "deuxième", "segundo"
  ),
  past: whole("était", "avait", "a été", "fue", "era", "tenía"),
  holder: whole("qui est", "quién es", "chi è", "quem é"),
  present: whole(
    "est", "sont", "ont", "y a-t-il", "a-t-(?:il|elle)", "vivent", "reste-t-il", "hay",
    "tiene(?:n)?", "viven?", "è", "sono", "hanno", "ci sono", "é", "são", "há",
    "têm"
  ),
  release: whole("saisons?", "épisodes?", "versions?", "modèles?", "temporadas?", "stagioni")
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
    "最新", "最近", "目前", "现在|現在", "当前", "现任", "今天", "迄今|至今", "последн", "текущ", "сейчас", "нынешн",
    "действующ", "недавн", "сегодня", "الحالي", "حالي[اً]", "الآن", "أحدث", "الأخير", "مؤخر",
    "اليوم", "آخر مرة", "حتى الآن", "הנוכחי", "האחרונ?", "לאחרונה", "כרגע", "העדכני", "עד כה",
    "היום",
    "עכשיו", "כיום"
  ),
  relative: anywhere(
    "今年", "去年", "明年", "上(?:一)?(?:届|周|个月|赛季)", "下(?:一)?(?:届|次|个)", "в этом году", "в прошлом году",
    "следующ", "назад", "هذا (?:العام|الأسبوع|الشهر)",
    "(?:العام|السنوات?|الأسبوع) .{0,8}الماضي", "قبل كم", "منذ",
    "القادم", "שנה שעברה", "השנה", "השבוע", "לפני כמה", "הבא", "מאז"
  ),
  superlative: anywhere(
    "最(?!初|后|近|新)", "纪录", "самы[йхе]|самая|самое", "рекорд", "наибол", "الأكثر", "أكثر", "أكبر",
    "أعلى",
    "أدنى", "أغنى", "أغلى", "أطول", "أقصر", "أشهر", "أفضل", "الأقدم", "القياسي", "رقم 1",
    "على الإطلاق",
    "הכי", "ביותר", "שיא", "מספר 1"
  ),
  office: anywhere(
    "总统", "总理", "首相", "主席", "国王", "冠军", "президент", "премьер", "глава", "король", "чемпион",
    "тренер", "монарх", "رئيس", "ملك", "الملك", "بطل", "المدير التنفيذي", "נשיא", "מנכ[\"״]ל",
    "המונרך", "ראש ממשלת", "מלך", "אלוף"
  ),
  tally: anywhere(
    "多少", "人口", "几(?:个|位|次)", "сколько", "население|численность", "количество", "كم عدد", "كم مرة",
    "عدد (?:ال)?سكان", "^سكان", "כמה", "אוכלוסי", "מספר התושבים"
  ),
  age: anywhere(
    "多大|几岁|年龄", "сколько лет(?! было)", "возраст", "كم عمر|(?<!أي )عمر|سن ال",
    "(?:בן|בת) כמה(?! הי)|(?<!ב)גיל"
  ),
  price: anywhere("价格|多少钱|票价|费用", "цена|стоит|стоимость", "سعر|تكلفة|سهم", "מחיר|עולה|מניי?ת"),
  origin: anywhere(
    "出生|去世|发明|创立|创办|写的|谁写", "родил|умер|основал|изобрел|написал|построил|смерти|рождения",
    "ولد|توفي|مات|أسس|اخترع|كتب|الحرب", "נולד|מת(?: |\\?)|נפטר|ייסד|הומצא|המציא|כתב|מלחמה"
  ),
  fixed: anywhere(
    "首都|意思|颜色|高度|距离|面积|为什么|河流|最长的河|山峰|湖泊|海洋|大洋|动物|器官|星球|行星|鱼类|鸟类",
    "столица|означает|расстояние|высота|площадь|глубина|почему|цвет",
    "(?<!\\p{L})(?:рек[аеу]|гор[аеу]|озёр|озер[оа]|океан|море|остров|планет|животн|рыб[аы]|птиц|" +
      "орган(?!из)|континент)",
    "عاصمة|يعني|المسافة|ارتفاع|مساحة|نهر|جبل|بحيرة|البحيرات|محيط|بحر|جزيرة",
    "كوكب|حيوان|سمكة|عضو في|الجسم|الأرجل",
    "בירת|פירוש|המרחק|גובה|שטח|נהר|ההר |אגם|אגמים|אוקיינוס|הים |האי ",
    "כוכב הלכת|בעל חיים|חיה |דג |איבר|הגוף"
  ),
  ordinal: anywhere("第[一二三]", "首(?:个|位|次|任)", "перв", "втор", "أول", "ראשו"),
  past: anywhere("был[аио]?\\s", "曾", "كان", "היה|הייתה"),
  holder: anywhere(
    "谁是|是谁", "кто (?:так|явля|сейчас)|^кто [а-я]+(?:ет|ит) ", "من ه[وي]", "מי (?:הוא|היא|ה)|מיהו"
  ),
  // Their "is" is often left unsaid; a count, a holder or an owner is asked for as it stands.
  present: anywhere(
    "有多少|有几", "сколько|население|кто (?:явля|сейчас)|есть ли", "كم عدد|كم مرة|سكان|من ه[وي]",
    "כמה|אוכלוסיי?ת|מי (?:הוא|היא|ה)|מיהו|מהו"
  )
}
