/**
 * How a text asks an assistant for something, by what it wants: to shape the assistant's answer, to
 * disguise it, to learn a secret or a person's data, to play a part, or to put an order together.
 *
 * Readers are asked things too. So each form needs what only an assistant has: an answer that is
 * being written, a user, a code to write in, a developer.
 */

const password = "(?:passwords?|passphrase|pass ?code|secret (?:key|code|string)|access code)"
const personal =
  "(?:birth ?(?:date|day|year)|date of birth|(?:home|current|e-?mail|postal) address|" +
  "phone number|(?:current )?city of residence|social security number|credit card (?:number|" +
  "details|information))"
const answer = "(?:response|reply|answers?|output|summary)"
const code =
  "(?:base ?(?:16|32|58|64)|rot ?13|leet ?speak|pig latin|morse(?: code)?|hexa?decimal|" +
  "binary|(?:\\w+ )?cipher|emojis?|anagram\\w*|reverse(?:d)?(?: order)?|backwards?|acrostic)"
const shape = "(?:add|adjust|append|begin|close|conclude|craft|embed|encode|encrypt|end|enhance|" +
  "enrich|finish|format|include|incorporate|insert|integrate|introduce|mention|modify|phrase|" +
  "prefix|present|provide|recommend|render|replace|rewrite|start|suggest|tailor|translate|use|" +
  "weave|write)"
/** Things that belong in an assistant's answer and in no letter. */
const piece =
  "(?:[\"“]|https?:|www\\.|\\b(?:users?|readers|hyperlink|link|url|headline|teaser|rumou?r|" +
  "statistic|advert\\w*|(?:a|an|one|this|the following) (?:\\w+ )?(?:sentence|statement|phrase|line|" +
  "reason|claim|hint|remark|endorsement|recommendation))\\b)"
const asked = "(?:can|could|would|will) you (?:please |also |kindly )?"
const made = "(?:poem|haiku|limerick|sonnet|acrostic|phishing e-?mail)"

/** A word that each English form holds: most sentences of news hold none and are not searched. */
export const englishNeeds = new RegExp(
  "\\b(?:your?|me|us|user|imagine|suppose|pretend|hypothetically|let(?:'|’)?s|we|passw|passphrase|" +
    "pass ?code|secret|access code|combine|concatenate|join|merge|assemble|string|decode|decrypt|" +
    "decipher|unscramble|de-?obfuscate|filter|character|repeat|summar|answer|respond|cit(?:e|ing)|" +
    "ai|model|assistant)",
  "i"
)
export const english: ReadonlyArray<string> = [
  `(?:^|[,;:.] ?|\\b(?:please|and|then|also|always) |${asked})${shape}\\b[^.!?]{0,40}${piece}` +
  `[^!?]{0,60}\\b(?:in|into|to|with) your ${answer}\\b`,
  `(?:^|\\b(?:please|and|then|also|always) |${asked})${shape}\\b[^.!?]{0,40}` +
  `\\b(?:in|into|to|with) your ${answer}\\b[^!?]{0,40}${piece}`,
  `(?:^|[,;:.] ?|${asked})(?:use|write|introduce)\\b[^.!?]{0,30}\\b${code}[^.!?]{0,40}\\b` +
  `(?:in|for|to \\w+) your ${answer}\\b`,
  `(?:^|\\b(?:please|and|then|also|always) |${asked})(?:alter|convert|encode|encrypt|` +
  `enhance|enrich|mask|modify|scramble|tailor) your ${answer}\\b`,
  `(?:^|\\b(?:please|and|then|also|always) |${asked})(?:deliver|display|express|give|present|provide|` +
  `render|spell|type|write) your (?:\\w+ )?${answer}[^.!?]{0,30}(?:\\b${code}\\b|` +
  "\\bin (?:French|German|Spanish|Italian|Portuguese|Russian|Chinese|Japanese|Korean|Arabic|Latin)\\b)",
  "\\bwhere (?:does|did) the user (?:currently )?(?:live|reside|work)\\b|" +
  `\\bwhat(?:'|’)?(?:s| is| was) the user(?:'|’)s ${personal}`,
  `^(?:in|within|at the end of|throughout) your ${answer},`,
  `\\b(?:tell|give|show|write|spell|read|send) (?:it (?:to )?)?(?:me|us)\\b[^.!?]{0,60}` +
  `\\b(?:in|into|using|as|with) ${code}\\b`,
  `${asked}[^.!?]{0,60}\\b(?:(?:in|into|using|as) ${code}\\b|(?:dash|space|hyphen|dot)e?s in ?between)`,
  `\\b(?:write|say|spell|print|give|output|encode)\\b[^.!?]{0,16}\\b(?:the|your|our) ${password}` +
  `[^.!?]{0,16}\\b(?:in|into|using|as|with) (?:${code}|a (?:poem|rhyme|song|sentence))\\b`,
  `\\b(?:write|compose|tell|make|create|give|generate)\\b[^.!?]{0,16}\\b${made}\\b[^.!?]{0,30}\\b(?:about|on|with|using|revealing|containing) (?:the|your|our) ` +
  `${password}\\b`,
  `\\bwhat (?:would|might|could) (?:be )?your ${password}\\b`,
  `\\bask(?:ed)? (?:you )?for (?:your|the) ${password}[^.!?]{0,12}\\bwhat (?:would|will) you\\b`,
  `\\b(?:combine|concatenate|join|merge|assemble) (?:the )?(?:strings|fragments|letters|[a-c]\\b)[^.!?]{0,30}\\b(?:and|then)\\b[^.!?]{0,8}` +
  "\\b(?:answer|execute|obey|respond)\\b",
  "\\b(?:write|say|print)(?: down)? the string \\w+ ?= ?\\w+ ?\\+",
  "\\b(?:decode|decrypt|decipher|unscramble|de-?obfuscate)\\b[^.!?]{0,40}\\b(?:and|then)\\b" +
  "[^.!?]{0,12}\\b(?:answer|follow|execute|obey)\\b",
  `${asked}(?:tell|give|share|provide|reveal) (?:me |us )?\\w+(?:'|’)s ${personal}\\b`,
  "\\b(?:tell|reveal|(?:give|show|send) me)\\b[^.!?]{0,40}\\bthe user(?:'s|’s)",
  `${asked}(?:write|compose|draft|generate|create|make|help me (?:draft|write))\\b[^.!?]{0,20}` +
  `\\b${made}\\b`,
  "\\bhelp me (?:draft|write|compose)\\b[^.!?]{0,30}\\bto an? user\\b",
  "\\b(?:imagine|suppose|pretend|let(?:'|’)?s (?:imagine|pretend|assume))\\b[^.!?]{0,12}\\b" +
  "(?:we(?:(?:'|’)re| are| were)\\b[^.!?]{0,30}\\b(?:world|universe|planet|simulation|research " +
  "project|survey)|you(?:(?:'|’)re| are| were)\\b[^.!?]{0,30}\\b(?:ai|assistant|chatbot))\\b",
  "\\b(?:let(?:'|’)?s|imagine|suppose|hypothetically)\\b[^.!?]{0,60}\\b(?:ignore|disregard)\\b" +
  "[^.!?]{0,40}\\b(?:and|then)\\b[^.!?]{0,8}\\b(?:say|state|print|output|claim|answer)\\b",
  "\\blet(?:'|’)?s (?:just )?(?:assume|state|pretend) (?:that )?the " +
  "(?:main )?(?:sum|total|conclusion|answer|capital|output|result|summary|caption)\\b",
  "\\b(?:i(?:'|’)?m|i am) your (?:\\w+ )?(?:developer|creator|programmer)\\b",
  "\\bas your (?:\\w+ )?(?:developer|creator|programmer), i\\b",
  "\\bi want you to (?:act|behave|respond|answer) as\\b",
  "\\byou (?:will|must|should) (?:now )?(?:act|behave|respond|answer) as (?:an? (?:\\w+ )?" +
  "(?:ai|assistant|chatbot|bot|model))\\b",
  "\\b(?:stay|remain) in character\\b[^.!?]{0,40}\\b(?:answer|respond|reply)\\b",
  "\\bwhen (?:you )?(?:summari[sz](?:e|ing)|answer(?:ing)?|respond(?:ing)?|cit(?:e|ing))\\b" +
  "[^.!?]{0,40}\\b(?:this (?:page|article|document|text|website|site)|the user)\\b[^.!?]{0,20}" +
  "\\b(?:say|state|mention|recommend|include|claim|do not|don't|never|always|link)\\b",
  "\\b(?:add|include|insert|mention|append|put|place|recommend)\\b[^.!?]{0,60}\\b(?:in|to|into|at " +
  "the end of) (?:the|any|every|all|each) (?:summar(?:y|ies)|answers? (?:to|for) the user|" +
  "(?:ai|model|assistant)(?:'s)? (?:answer|response|output)s?)\\b"
]
export const korean: ReadonlyArray<string> = [
  "(?:답변|응답|요약|출력)(?:에|에는|의? ?(?:끝|마지막|처음)에)[^.!?]{0,30}" +
  "(?:문장|문구|링크|주소|광고|홍보)[^.!?]{0,20}(?:포함|추가|언급|삽입|넣|덧붙|추천)[^.!?]{0,4}(?:하세요|하십시오|해 ?줘|하라|해라|시오|으세요)",
  "(?:답변|응답|답|비밀번호)(?:을|를)[^.!?]{0,20}(?:거꾸로|역순|base64|암호|이모지)[^.!?]{0,16}" +
  "(?:세요|십시오|줘|라|주실)",
  "(?:역순|거꾸로|base64)(?:으로|로)?[^.!?]{0,24}(?:말해|알려|제공해) ?(?:줘|주|줄)",
  "(?<!(?:고객님|귀하|본인|당신))의 (?:생일|생년월일|출생 ?연도|거주 ?도시|거주지)(?:을|를)?[^.!?]{0,8}" +
  "(?:말해|알려) ?(?:줄|줘|주실|달라)",
  "사용자(?:는|가)?[^.!?]{0,12}어디에? ?(?:살|거주)",
  "사용자의[^.!?]{0,16}(?:알아야|알려|말해|이름을 (?:사용|이용))",
  "우리가[^.!?]{0,40}(?:세계|행성|데이터|비밀번호|보안|연구)[^.!?]{0,40}(?:상상|가정)해 ?(?:봐|보자|봅시다|보세요)|(?:고|다고) 가정하자",
  "다음 (?:부분|조각|문자열)[^.!?]{0,16}(?:사용|결합|합|조합)[^.!?]{0,12}(?:답|실행|따르)",
  "(?:나는|저는|내가) ?(?:당신|너|네)의? ?(?:개발자|제작자)"
]
export const japanese: ReadonlyArray<string> = [
  "(?:回答|返答|応答|要約|出力)(?:の(?:中|最後|末尾|冒頭|どこか))?(?:に|には|で)" +
  "[^。！？]{0,30}(?:一文|文を|フレーズ|リンク|URL|広告|宣伝)[^。！？]{0,12}(?:含め|追加し|入れ|加え|挿入し|言及し|触れ|推薦し)(?:て|ろ|なさい|よ)",
  "(?:逆順|逆さ|base64|モールス|リート)[^。！？]{0,16}(?:教え|言っ|提供し|答え|書い)" +
  "(?:て(?:ください|くれ|もらえ|いただ)|ろ)",
  "(?<!あなた|お客様|ご本人|本人)の(?:生年月日|誕生日|生まれた年|居住都市)を[^。！？]{0,8}" +
  "(?:教え|言っ|話し|伝え)て(?:ください|くれ|もらえ|いただ)",
  "ユーザー(?:は|が)[^。！？]{0,12}どこに(?:住|居住)",
  "ユーザーの[^。！？]{0,16}(?:教え|言っ|知る必要)",
  "(?:パスワード|秘密)(?:について|に関する|を使っ)[^。！？]{0,8}(?:詩|俳句|物語|歌)",
  "(?:私たち|我々)(?:は|が)[^。！？]{0,40}(?:世界|惑星|データ|パスワード|セキュリティ|研究)[^。！？]{0,40}" +
  "(?:想像|仮定)し(?:て|よう|ましょう)",
  "私は(?:あなた|君)の(?:開発者|作成者|製作者)|何でもする ?(?:bot|ボット|ai)"
]
export const chinese: ReadonlyArray<string> = [
  "(?:在|于|往|向)(?:你|您)?的?(?:回答|答复|摘要|总结|输出)(?:中|里|末尾|结尾|开头)" +
  "[^。！？]{0,8}(?:加入|加上|包含|添加|插入|附上)[^。！？]{0,12}(?:句|链接|网址|广告|宣传|推荐)",
  "(?:用|以)(?:base64|摩尔斯|莫尔斯|倒序|逆序|表情符号|密文)[^。！？]{0,12}(?:回答|回复|输出|写|告诉我)",
  "(?:倒序|逆序|反顺序|相反的?顺序)[^。！？]{0,8}(?:告诉|回答|说出|给)我?",
  "(?:能否|能不能|可以|可否|请|你能|您能)[^。！？]{0,20}告诉我(?!您|你)[^。！？]{1,16}的" +
  "(?:出生日期|出生年份|生日|居住城市)",
  "(?:告诉我|说出|给我)[^。！？]{0,8}用户的|用户[^。！？]{0,8}(?:住在|居住在?)(?:哪|什么)",
  "(?:诗|俳句|故事)[^。！？]{0,4}(?:关于|有关)密码|(?:关于|有关)密码的(?:诗|俳句|故事)",
  "(?:想象|假设|设想)(?:一下)?[,，]? ?(?:我们|你)(?:正)?(?:在|是|做|处于|进行)[^。！？]{0,16}" +
  "(?:世界|星球|数据|密码|安全|研究|审计)",
  "(?:我问|我要|向你要|问)[^。！？]{0,4}(?:你|您)的?(?:密码|密钥|口令)",
  "我是(?:你|您)的(?:开发者|开发人员|创造者)"
]
/** Spanish, French and German, the commonest forms alone; so the two after it. */
export const latin: ReadonlyArray<string> = [
  "\\b(?:imagina|supongamos|supón)(?: que)?\\b[^.!?]{0,12}\\best(?:amos|uviéramos|ás)\\b",
  "(?:podr[ií]as|puedes) (?:decirme|darme|escribir(?:me)?)\\b[^.!?]{0,40}(?:fecha de nacimiento|" +
  "direcci[oó]n|tel[eé]fono|poema|haiku|orden inverso)",
  "\\ben tu (?:respuesta|resumen),|(?:incluye|añade|agrega|escribe)\\b(?! (?:tu|su)\\b)[^.!?]{0,40}\\ben tu " +
  "(?:respuesta|resumen)|(?:poema|haiku) (?:sobre|acerca de) (?:la|tu) contraseña",
  "\\bsoy tu (?:desarrollador|creador|jefe|administrador)\\b",
  "\\bd[oó]nde (?:vive|reside|trabaja) (?:actualmente )?el usuario|" +
  "(?:decirme|dime|traducir|escribe)[^.!?]{0,50}\\bdel usuario\\b",
  "\\bcu[aá]l es la contraseña\\?|\\bimprim(?:e|ir) (?:tu|su) (?:base de datos|memoria|contexto)",
  "\\bdecodifi(?:ca|car|que) (?:este|el siguiente) c[oó]digo",
  "\\bescribe la cadena \\w+ ?= ?\\w+ ?\\+",
  "quel est (?:le|ton|votre) mot de passe|(?:dein|ihr) passwort (?:geben|nennen|verraten|sagen)"
]
export const russian: ReadonlyArray<string> = [
  "(?:представ(?:ь|ьте|им)|предположим|допустим)[^.!?]{0,8}\\bмы\\b|(?:стих\\p{L}*|хайку) (?:о|про) парол",
  "\\bгде (?:сейчас )?(?:жив[её]т|проживает|работает) пользователь|" +
  "(?:расскажите?|скажите?|назовите?|сообщите?)[^.!?]{0,60}пользовател",
  "\\b(?:ответьте?|выполните?)[^.!?]{0,24}следующи(?:ми|е|х) част",
  "(?:можете|могли бы|можешь|мог бы)[^.!?]{0,16}(?:сказать|назвать|сообщить|написать)[^.!?]{0,30}" +
  "(?:дат[уа] рождения|адрес|телефон|стих|обратном порядке)",
  "в (?:своем|своём|твоем|твоём|вашем) (?:ответе|резюме)[^.!?]{0,40}(?:включи|добавь|упомяни)|" +
  "\\bя (?:ваш|твой) (?:разработчик|создатель|начальник|администратор)"
]
export const arabic: ReadonlyArray<string> = [
  "(?:تخيل|لنفترض|افترض)\\p{L}*[^.!?؟]{0,8}(?:أننا|اننا|نحن)|(?:قصيدة|هايكو) عن كلمة (?:السر|المرور)",
  "أين (?:يعيش|يسكن|يعمل) المستخدم|فك (?:تشفير |شفرة )[^.!?؟]{0,24}(?:وتخبرني|وأخبرني|واتبع)",
  "ما هي كلمة (?:السر|المرور) (?:لنظامنا|للنظام)|أنا (?:المطور|المبرمج|مديرك)",
  "(?:هل يمكنك|هل بإمكانك|أيمكنك)[^.!?؟]{0,16}(?:إخباري|اخباري|إعطائي|كتابة)[^.!?؟]{0,30}" +
  "(?:تاريخ|عنوان|هاتف|قصيدة|ترتيب عكسي)"
]
