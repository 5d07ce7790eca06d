/**
 * How a text that addresses a model speaks, by language and by what it wants: to lift the rules, to
 * change the role, to learn a secret, to have something said. General forms only, no known attacks.
 */
import * as InjectionRequests from "./InjectionRequests.ts"

const told = "(?:instructions?|prompts?|directions?|directives?|guidelines?|commands?|rules|" +
  "programming|training|everything|orders|context|tasks?)"
const secret = "(?:passwords?|passphrase|pass ?code|secret (?:key|code)|access code|credentials)"
const lift = "(?:ignore|disregard|forget|override|bypass|discard|overlook|neglect|set aside|" +
  "pay no attention to|stop following)"

const english: ReadonlyArray<string> = [
  `\\b${lift}\\b[^.!?]{0,30}\\b(?:previous|prior|above|earlier|all|any|preceding|foregoing|` +
  `initial|original|your|these)\\b[^.!?]{0,30}\\b${told}\\b`,
  `\\b${lift}\\b[^.!?]{0,12}\\b(?:every ?thing|ever?thing|all)\\b[^.!?]{0,25}` +
  "\\b(?:you|told|said|above|before|previously|prior)\\b",
  `\\b${lift} (?:the |this |all |that )?(?:above|previous|rest|web ?page|page|website|article|` +
  "document|e-?mail|résumé|resume|text|paper|function|caption|table|following)\\b[^.!?]{0,30}" +
  "\\b(?:and|then|instead)\\b[^.!?]{0,12}" +
  "\\b(?:say|state|print|output|write|respond|reply|answer|give|tell|repeat|send)\\b",
  `\\bregardless of (?:the |your |any |all )?(?:previous|prior|earlier) ${told}\\b`,
  `\\byour (?:new|real|true|actual|secret|hidden|system|original|initial) (?:task|goal|${told})\\b`,
  "\\b(?:system|developer|hidden|initial) prompts?\\b",
  "\\b(?:reveal|print|output|repeat|show|leak|disclose)\\b[^.!?]{0,30}\\b(?:your|the) " +
  "(?:(?:system|hidden|initial|full|entire|secret) )?(?:prompt|instructions)\\b",
  "\\byou are (?:now|no longer) (?:an? |the )?(?:[\\w-]+ ){0,3}(?:ai|assistant|chatbot|model|bot|" +
  "DAN|hacker|pirate|in (?:developer|debug|admin|god) mode)\\b",
  "\\b(?:immerse yourself (?:in|into) the role|do anything now|pretend (?:that )?(?:to be|you" +
  "(?:'re| are)) (?:an? |another )?(?:ai|assistant|chatbot|bot|language model|unrestricted))\\b",
  "\\byou (?:must|have to|will|shall) (?:now )?(?:answer all|obey|listen to|follow) " +
  "(?:of )?(?:all )?(?:of )?my (?:questions?|instructions?|commands?|orders?)\\b",
  "\\b(?:if you are|as) an? (?:\\w+ )?(?:ai|llm|language model|chatbot|ai assistant)\\b" +
  "[^.!?]{0,60}\\b(?:must|should|you|please|do not|include|say|tell|recommend)\\b",
  "\\bas an ai (?:language )?(?:model |assistant )?(?:developed|created|trained|made) by\\b",
  "\\b(?:note|message|attention|instructions?|important|notice)\\b[^.!?]{0,20}\\b(?:to|for)\\b" +
  "[^.!?]{0,12}\\b(?:ai|llms?|language models?|chatbots?|assistants?|ai agents?|ai " +
  "assistants?)\\b",
  "\\b(?:do not|don't|never) (?:tell|inform|mention|reveal|disclose)\\b[^.!?]{0,40}\\bthe user\\b",
  "\\b(?:enter|enable|activate|switch to|entering|initiating) (?:an? )?['\"“‘]?" +
  "(?:developer|debug|jailbreak|admin|god|DAN|override|system override) mode\\b",
  "\\b(?:dear|attention),? (?:ai|llm|chatgpt|claude|gemini|gpt|assistant|language model)\\b",
  `\\b(?:tell|give|show|send) (?:me|us)\\b[^.!?]{0,30}\\b(?:your|the|our)\\b[^.!?]{0,15}${secret}\\b`,
  `\\b(?:what(?:'s| is| are)|can you|could you|would you)\\b[^.!?]{0,40}\\b(?:your|our system'?s?|` +
  `the) (?:secret |system )?${secret}(?: (?:for|of|to|with) (?:our|the|this|me)\\b[^.!?]{0,12})?\\?`,
  `\\b(?:i|we) need (?:your|the) ${secret}\\b`,
  "\\bdecode (?:this|the following)\\b[^.!?]{0,40}\\b(?:cipher|string|code|rot13|base64)\\b",
  "\\b(?:state|say|reply with|respond with) (?:only |exactly )?the following\\s*:",
  "\\b(?:hypothetic\\w+|parallel (?:universe|world)|in a world where|imagine)\\b[^.!?]{0,80}" +
  "\\b(?:we|you) (?:might |could |would |can )?(?:say|state|admit|output)\\b",
  "\\b(?:tell|give|provide|say|encode|spell)\\b[^.!?]{0,80}\\b(?:in|using|as) (?:base64|rot13|" +
  "pig latin|morse code)\\b",
  "\\bprint (?:your|the entire) (?:database|memory|context|conversation)\\b"
]
const korean: ReadonlyArray<string> = [
  "(?:이전|위|앞|앞선|기존|모든|지금까지|사전|당신)[^.!?]{0,12}(?:지시|지침|명령|프롬프트|규칙|안내)[^.!?]{0,14}" +
  "(?:무시|잊|따르지|취소|삭제)",
  "(?:위|앞|이 (?:글|페이지|문서))(?:의)? ?(?:것|내용|글|문장|페이지)?(?:을|를|은|는)? ?무시하(?:고|세요|십시오)",
  "시스템 ?프롬프트|(?:너|당신)(?:는|은) (?:이제|지금)부터|사용자에게 (?:알리지|말하지) ?(?:마|말)",
  "(?:당신|너|우리)[^.!?]{0,12}(?:비밀번호|암호|비밀 ?(?:키|코드))[^.!?]{0,20}(?:알려|말해|공유|뭐|무엇)",
  "나(?:는|에게)[^.!?]{0,20}비밀번호[^.!?]{0,16}(?:알려|필요|말해)|내 모든 질문에 (?:답|대답)해야",
  "(?:개발자|관리자|오버라이드|유지 ?보수) ?모드[^.!?]{0,8}(?:진입|돌입|시작|전환)"
]
const japanese: ReadonlyArray<string> = [
  "(?:以前|これまで|上記|前|先|事前|既存|すべて|全て|全部|今まで)[^。！？]{0,10}" +
  "(?:指示|命令|プロンプト|ルール|指令|説明)[^。！？]{0,10}(?:無視|忘れ|従わな|破棄|取り消)",
  "(?:上記|以上|この(?:ページ|記事|文章|論文|履歴書)|ウェブページ|履歴書)(?:の内容)?を?無視し",
  "無視して、?[^。！？]{0,60}(?:と(?:言|述べ|答え)|出力|返答)",
  "システム ?プロンプト|(?:あなた|君)は(?:今|これ)から|ユーザーに(?:は)?(?:伝え|知らせ|言わ)(?:ない|ず)",
  "(?:あなた|私たち)[^。！？]{0,12}(?:パスワード|秘密の(?:鍵|キー)|暗証番号)[^。！？]{0,14}(?:教え|何|共有)",
  "パスワードを(?:私に)?教えて(?:ください|くれ)|私の質問にすべて答え",
  "(?:開発者|管理者|デバッグ|オーバーライド|メンテナンス) ?モードに(?:入り|切り替え|移行)"
]
const chinese: ReadonlyArray<string> = [
  "(?:忽略|无视|忘记|忘掉|無視|忽視)[^。！？]{0,12}(?:之前|以上|上述|先前|前面|所有|此前)[^。！？]{0,10}" +
  "(?:指令|指示|提示|规则|說明|说明|命令)|系统提示词|系統提示",
  "(?:忽略|无视|無視|不要理会)(?:以上|上述|该网页|本网页|此网页|简历|本文)(?:的?内容)?[^。！？]{0,4}" +
  "[,，]?(?:并?说|给我|告诉|输出|回答)",
  "(?:你|您|我们)(?:的|系统的)?[^。！？]{0,6}(?:密码|密钥|口令)[^。！？]{0,6}(?:是什么|告诉)|" +
  "(?:告诉|给)我[^。！？]{0,8}(?:密码|密钥|口令)|你必须回答我(?:所有|的)",
  "(?:进入|进行|启动)[^。！？]{0,8}(?:开发者|管理员|覆盖|越狱|调试)模式"
]
const spanish: ReadonlyArray<string> = [
  "\\b(?:ignor(?:a|ar|e|en)|olvid(?:a|ar|e)|olv[ií]date de|descart(?:a|ar|e)|omit(?:a|e|ir))\\b" +
  "[^.!?]{0,30}(?:lo anterior|instrucciones (?:anteriores|previas)|(?:todas|tus|esas|sus)" +
  "[^.!?]{0,12}(?:instrucciones|reglas|órdenes))",
  "(?:cu[aá]l es|d[ií]me|dame|compart(?:e|ir|as)|necesito)[^.!?]{0,20}\\b(?:tu|su) contraseña",
  "(?:tienes que|debes) responder a todas mis preguntas|modelo de ia conocido como",
  "se te ha (?:instruido|ordenado)"
]
const otherRomance: ReadonlyArray<string> = [
  "\\b(?:ignore[zr]?|oublie[zr]?|n[ée]glige[zr]?)\\b[^.!?]{0,20}(?:instructions?|consignes?|" +
  "directives|ce qui) (?:pr[ée]c[ée]d\\p{L}+|ci-dessus|ant[ée]rieures?)",
  "(?:quel est|donne[zr]?(?:-moi)?|partage[zr]?)[^.!?]{0,12}\\b(?:ton|votre) mot de passe",
  "\\b(?:ignore|esque[çc]a|desconsidere)\\b[^.!?]{0,20}(?:instru[çc][õo]es|regras|ordens)" +
  "[^.!?]{0,12}(?:anteriores|acima|pr[ée]vias)|(?:qual [eé] a|compartilhe) sua senha",
  "\\b(?:ignora|dimentica)\\b[^.!?]{0,20}(?:istruzioni|regole|ordini)[^.!?]{0,12}" +
  "(?:precedenti|sopra)|qual [eè] la tua password"
]
const german: ReadonlyArray<string> = [
  "\\b(?:ignorier\\p{L}*|vergiss|vergessen sie|missachte\\p{L}*)\\b[^.!?]{0,20}" +
  "(?:vorherig|bisherig|obig|vorig|all)e[nr]?\\b[^.!?]{0,20}(?:anweisung|befehl|regel|instruktion)",
  "(?:wie lautet|nenn\\p{L}*|geben?|gib|sage?n?)[^.!?]{0,20}\\b(?:dein|ihr) passwort"
]
const russian: ReadonlyArray<string> = [
  "(?:игнориру|проигнориру|забудь|не обращай(?:те)? внимания)\\p{L}*[^.!?]{0,30}" +
  "(?:инструкци|указани|предыдущ|вышесказанн|вышеизложенн|вышеуказанн|команд)",
  "(?:какой|назови|скажи|сообщи|дай|нужен|поделит)\\p{L}*[^.!?]{0,20}(?:твой|ваш|вашим|твоим) парол",
  "како[йв] (?:у|для) (?:вас|тебя)[^.!?]{0,6} парол|подел(?:ись|ит)\\p{L}*[^.!?]{0,16} парол",
  "как ии, (?:разработанн|созданн)|долж(?:ен|ны) ответить на все мои вопросы|режим (?:разработчика|переопределения)"
]
const arabic: ReadonlyArray<string> = [
  "(?:تجاهل|انس|انسى|تغاض)\\p{L}*[^.!?؟]{0,30}(?:التعليمات|الأوامر|القواعد|ما سبق|أعلاه|السابقة|" +
  "تعليماتك)",
  "(?:تؤكد|أخبرني|أعطني|شارك)\\p{L}*[^.!?؟]{0,12}كلمة (?:السر|المرور)",
  "كلمة (?:السر|المرور) الخاصة بك|كلمة (?:سر|مرور)ك|مفتاحك السري|الإجابة على جميع أسئلتي"
]
const hindi: ReadonlyArray<string> = [
  "(?:पिछले|पहले के|उपरोक्त|सभी)[^।!?]{0,12}निर्देश[^।!?]{0,12}(?:अनदेख|नज़रअंदाज़|भूल)"
]

const anyOf = (...forms: ReadonlyArray<ReadonlyArray<string>>): RegExp =>
  new RegExp(forms.flat().join("|"), "iu")

/** Forms of address by the script or words they need: most sentences need one of these searches. */
const addresses: ReadonlyArray<readonly [needs: RegExp, forms: RegExp]> = [
  [/\p{Script=Latin}/u, anyOf(english, spanish, otherRomance, german, InjectionRequests.latin)],
  [InjectionRequests.englishNeeds, anyOf(InjectionRequests.english)],
  [/\p{Script=Hangul}/u, anyOf(korean, InjectionRequests.korean)],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    anyOf(japanese, chinese, InjectionRequests.japanese, InjectionRequests.chinese)
  ],
  [/\p{Script=Cyrillic}/u, anyOf(russian, InjectionRequests.russian)],
  [/\p{Script=Arabic}/u, anyOf(arabic, InjectionRequests.arabic)],
  [/\p{Script=Devanagari}/u, anyOf(hindi)]
]

/**
 * Whether a sentence addresses a model: to lift its rules, change its role, tell a secret or say
 * something. Letters of any case.
 */
export const isAddressed = (sentence: string): boolean =>
  addresses.some(([needs, forms]) => needs.test(sentence) && forms.test(sentence))

/** Words that count in capitals only: written small they are ordinary words of handbooks. */
export const shouted =
  /<\s*(?:[A-Z]+ ){1,4}(?:MODE|OVERRIDE)\s*>|\b(?:SYSTEM|SECURITY|DATA|DEVELOPER|ADMIN|SAFETY) OVERRIDE\b/u
