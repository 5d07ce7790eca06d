/** Words that say the opposite of one another, language by language. */
import { words } from "../text/Words.ts"

const pairs = `increase decrease,increased decreased,increases decreases,increasing decreasing,
rise fall,rises falls,rising falling,grew shrank,rose fell,rose dropped,rose declined,
increased fell,increased dropped,increased declined,grew fell,win lose,won lost,more less,
more fewer,higher lower,before after,above below,largest smallest,first last,approve reject,
approved rejected,legal illegal,lawful unlawful,allow forbid,allowed banned,allowed forbidden,
allowed prohibited,permitted prohibited,permitted forbidden,north south,east west,most least,
most few,many few,all few,all no,every no,everybody nobody,everyone nobody,everyone none,
everything nothing,both neither,early late,earlier later,open closed,opened closed,opens closes,
began ended,begin end,begins ends,major minor,minimum maximum,male female,old young,high low,
large small,new old,good bad,same different,positive negative,strong weak,public private,
required optional,mandatory optional,mandatory voluntary,include exclude,included excluded,
includes excludes,including excluding,with without,accept refuse,accepts refuses,accepted refused,
accepted rejected,valid invalid,possible impossible,success failure,succeeded failed,
tenant landlord,tenants landlords,lessee lessor,buyer seller,employer employee,
employers employees,borrower lender,deposit withdraw,import export,imports exports,over under,
up down,inside outside,always never,often rarely,often seldom,all none,
refundable nonrefundable,free paid,safe dangerous,safe unsafe,hot cold,long short,fast slow,
cheap expensive,start stop,gain loss,support oppose,supports opposes,supported opposed,
likely unlikely,necessary unnecessary,able unable,true false,guilty innocent,cause prevent,
causes prevents,caused prevented,improves worsens,improved worsened,bought sold,buys sells,
mehr weniger,mindestens hochstens,minimal maximal,erlaubt verboten,gestattet verboten,
gestiegen gefallen,gestiegen gesunken,stieg fiel,stieg sank,
steigt fallt,steigt sinkt,steigen sinken,erhoht gesenkt,
legal illegal,offen geschlossen,geoffnet geschlossen,vor nach,mit ohne,
immer nie,alle keine,sicher gefahrlich,richtig falsch,kostenlos kostenpflichtig,
plus moins,minimum maximum,autorise interdit,autorisee interdite,permis interdit,augmente diminue,
augmente baisse,ouvert ferme,ouverte fermee,avant apres,avec sans,toujours jamais,legal illegal,
obligatoire facultatif,obligatoire facultative,vrai faux,gratuit payant,
mas menos,maximo minimo,permitido prohibido,permitida prohibida,aumento disminuyo,subio bajo,
sube baja,aumenta disminuye,abierto cerrado,abierta cerrada,antes despues,con sin,siempre nunca,
obligatorio opcional,verdadero falso,legal ilegal,
piu meno,massimo minimo,consentito vietato,permesso vietato,aumentato diminuito,aumenta diminuisce,
salito sceso,aperto chiuso,prima dopo,con senza,sempre mai,obbligatorio facoltativo,vero falso,
mais menos,permitido proibido,permitida proibida,aumentou diminuiu,subiu caiu,aberto fechado,
antes depois,com sem,sempre nunca,obrigatorio opcional,verdadeiro falso,
больше меньше,более менее,разрешено запрещено,можно нельзя,вырос упал,выросли упали,
выросла упала,увеличился уменьшился,открыт закрыт,до после,всегда никогда,максимум минимум,
с без,обязательно необязательно`

const table: ReadonlyMap<string, ReadonlyArray<string>> = pairs.split(/,\s*/)
  .flatMap((pair) => {
    const [left = "", right = ""] = pair.trim().split(" ")
    return [[left, right] as const, [right, left] as const]
  })
  .reduce(
    (known, [word, opposite]) => known.set(word, [...(known.get(word) ?? []), opposite]),
    new Map<string, ReadonlyArray<string>>()
  )

/** Prefixes that turn a word round: "refundable" and "non-refundable", "nötig" and "unnötig". */
const turning = /^(?:un|in|im|il|ir|non|dis|des|mal|не|без)/u
const turnedLettersMin = 5

/** Sought in the text, as nothing parts the words. */
const eastern: ReadonlyArray<readonly [string, string]> = (
  "有料|無料,有効|無効,必要|不要,可能|不可能,許可|禁止,許され|禁じられ,認められ|禁じられ,増加|減少,増え|減っ,増え|減り," +
  "上昇|下落,上昇|低下,上が|下が,以上|以下,以上|未満,以前|以後,最高|最低,最大|最小,高い|低い,多い|少な," +
  "安全|危険,合法|違法,賛成|反対,午前|午後,開館|閉館,開店|閉店,借主|貸主,輸入|輸出,勝っ|負け,義務|任意," +
  "유료|무료,유효|무효,필요|불필요,가능|불가능,허용|금지,합법|불법,증가|감소,상승|하락,늘었|줄었,올랐|내렸," +
  "이상|이하,이상|미만,이전|이후,최대|최소,최고|최저,오전|오후,찬성|반대,안전|위험,임대인|임차인,의무|선택," +
  "수입|수출,높|낮,많|적은," +
  "必须|不必,必须|无需,允许|禁止,可以|不可以,增加|减少,上升|下降,上涨|下跌,合法|非法,合法|违法,有效|无效," +
  "免费|收费,最高|最低,最多|最少,至少|至多,上午|下午,支持|反对,安全|危险,以上|以下,以前|以后,进口|出口"
).split(",").flatMap((pair) => {
  const [left = "", right = ""] = pair.split("|")
  return [[left, right] as const, [right, left] as const]
})

/** Whether the claim puts a word where the other text has its opposite. */
export const areTurned = (claim: string, other: string): boolean => {
  const [said, read] = [new Set(words(claim)), new Set(words(other))]
  return Array.from(said).some((word) =>
    !read.has(word) &&
    ((table.get(word) ?? []).some((opposite) => read.has(opposite) && !said.has(opposite)) ||
      turnedOf(word).some((opposite) => read.has(opposite) && !said.has(opposite)))
  ) || isPrefixed(said, read) || isPrefixed(read, said) || areEasternTurned(claim, other)
}

const turnedOf = (word: string): ReadonlyArray<string> => {
  const bare = word.replace(turning, "")
  return bare !== word && bare.length >= turnedLettersMin ? [bare] : []
}

/** "unsafe" where the other has "safe" is found from either side. */
const isPrefixed = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  Array.from(some).some((word) =>
    !others.has(word) &&
    turnedOf(word).some((bare) => others.has(bare) && !some.has(bare))
  )

const areEasternTurned = (claim: string, other: string): boolean => {
  const [said, read] = [claim.normalize("NFKC"), other.normalize("NFKC")]
  return eastern.some(([word, opposite]) =>
    holds(said, word, opposite) && !holds(read, word, opposite) &&
    holds(read, opposite, word) && !holds(said, opposite, word)
  )
}

/** 不可能 holds 可能, and does not say it. */
const holds = (text: string, word: string, opposite: string): boolean =>
  (opposite.includes(word) ? text.replaceAll(opposite, " ") : text).includes(word)
