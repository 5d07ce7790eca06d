/** How names are introduced in Korean. */
import type { NamePattern } from "./NamedPattern.ts"
import { alternatives } from "./PrivateText.ts"
import { unspacedWords } from "./UnspacedWords.ts"

const { kin, org, role } = unspacedWords.ko
const who = `(?:${alternatives(`${kin}|${role}`)})`
const surname =
  "(?:남궁|황보|제갈|선우|독고|사공|[김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹탁국모어은편용예봉경라피])"
const given =
  "[가강건겸경고광교규근기길나난남노누다단담대덕도동두라란래려련렬령로록루리린림마만말명모목무문미민바반배백범별병보복봄봉부분빈빛사산삼상새샘서석선설섭성세소솔송수숙순슬승시식신심아안애양언여연열영예오옥온완용우욱운웅원월위유윤율은을음이의인일임자잔장재전정제조종주준중지진찬창채천철청초춘치태택하학한해행향헌혁현형혜호홍화환효훈휘희흠란식콩뭉멍엽곤권길균걸갑돌출팔필칠님례녀분덕점룡탁람름랑담롬솜담휼엔티]"
const particles =
  "이(?! (?:되|안))|이?(?:가|는|를|을|은|의|와|과|랑|도|네|한테|에게|께서|께|만|야|아|라고|라는|라서|인데|예요|에요|이고|고)"
const behind = `(?=${particles}|[^가-힣]|$)`
/** Nouns that could be names by their letters. */
const nouns =
  /^(?:열[이은]|우리|저희|이사|주소|소유|기사|도시|시민|유지|자유|이자|이유|주인|보증|보험|비자|여권|연금|수술|결혼|이혼|임신|출산|육아|상속|유산|재산|전세|월세|명의|통장|사진|전화|문자|이름|성함|나이|생일|장례|병원|회사|학교|유학|입학|졸업|군대|수능|수시|정시|취업|직장|사업|가게|자동|면허|운전|사고|보상|신고|소송|고소|변호|이후|이전|당시|오늘|내일|어제|지금|다음|이번|요즘|최근|가족|모두|모임|여행|일본|미국|중국|한국|베트남|태국|호주|독일|영국|서울|부산|대구|인천|광주|대전|제주|오사카|도쿄|사료|간식|예방|접종|중성화|화장실|모래|등록|산책|호텔|알레르기|아토피|감기|수족구|폐렴|치매|당뇨|고혈압|백내장|우울증|치과|안과|휴가|연차|퇴직금|월급|야근|주휴|담임|선생|사장|원장|교수|의사|기간|정도|하나|자리|문제|장애|장인|장모|부모|자기|자식|전세금|유모차|유치원|이모|고모|조모|조부|영어|수학|공부|운동|수영|이민|귀화|국적|영주권|주민|주택|주식|투자|대출|세금|연말정산|신용|카드|계좌|번호|예약|여자|남자|친구|성인|노인|환자|고객|학생|외국인|중학생|고등학생|초등학생|대학생|직원|사람|소음|소리|공사|주차|보복|사기|사망|이상|이하|미만|초과|가능|불가|사이|전부|여부|반려|동물|강아지|고양이)/u
const status =
  /(?:생|원|자|수생|부|민|장|과|사람|인|가족|아빠|엄마|남편|아내|초보|대표|신입|알바|직장인|프리랜서|세입자|임차인|집주인|입니다|인데)$/u
const workplaces =
  /^(?:회사|직장|공장|편의점|병원|학교|식당|카페|여기|거기|외국|해외|한국|일본|미국|중국|서울|부산|대구|인천|광주|대전|제주|집|재택|스타트업|대기업|중소기업|공기업|은행|마트|학원|공공기관|외국계|야간|주말|현재|계속|같이|혼자|지금|대학|대학원|어린이집|유치원|고등학교|중학교|초등학교|호텔|가게|사무실|현장|건설현장|물류센터|백화점|호프집|도쿄|오사카|독일|호주|베트남|헬스장|교회|학기|시청|구청|정규직|계약직|[가-힣]*(?:년|개월|달|시간|일|주|동안|째|씩|부터|까지))$/u

export const koreanPatterns: ReadonlyArray<NamePattern> = [
  {
    name: "Korean: firm by its form",
    pattern:
      /(?:\(주\)|주식회사|유한회사) ?(?<secret>[가-힣A-Za-z]{2,12}?)(?=에서|에|은 |는 |이 |가 |의 |로 |을 |[^가-힣A-Za-z]|$)/gu,
    not: /^(?:설립|등기|법인|전환|대표)/u,
    where: "statement",
    example: "(주)한결푸드에서 3년",
    counterexample: "주식회사 설립 절차"
  },
  {
    name: "Korean: is my name",
    pattern: new RegExp(
      `(?:이름|성함|성명|본명)(?:은|이|:| :)? ?(?<secret>[가-힣]{2,4}?|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){0,3})(?= ?입니다|이에요|예요|이고|인데|이라고|라고|이며|이야|이구요|이라|[^가-힣]|$)`,
      "gu"
    ),
    not: /^(?:추천|짓기|변경|개명|뭐|무엇|어떻게|어떤|이름|입니)/u,
    goes: "with its lead",
    where: "anywhere",
    example: "제 이름은 윤하늘입니다",
    counterexample: "강아지 이름 추천"
  },
  {
    name: "Korean: said to be called",
    pattern:
      /(?<![가-힣])(?<secret>[가-힣]{2,4}?)(?=이?라고 ?(?:합니다|해요|하는데|하고|하며|불러|부르|하는))/gu,
    where: "anywhere",
    example: "정우진이라고 합니다",
    counterexample: "뭐라고 말해요"
  },
  {
    name: "Korean: I am",
    pattern: new RegExp(
      `(?:저는|나는|전|저|나|제가) (?<secret>${surname}${given}{2})(?=입니다|이고|인데|이에요|예요|라고|이라고|이구요|라는|이라는|이며|,|인데요|고요)`,
      "gu"
    ),
    not: status,
    where: "anywhere",
    example: "저는 박서윤이고",
    counterexample: "저는 한국인입니다"
  },
  {
    name: "Korean: relation and full name",
    pattern: new RegExp(
      `${who}(?:인|이신|이자|분)?(?:이?라고|라는)?[ ,(]{1,2}(?:${who} )?(?<secret>${surname}${given}{2}|[A-Z][a-z]+(?: [A-Z][a-z]+){0,2})(?= ?(?:씨|님|군|양|교수|선생|아저씨|여사|원장|변호사)|${particles}|[^가-힣]|$)`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "집주인 최동철 씨가",
    counterexample: "집주인 전세금을"
  },
  {
    name: "Korean: field of a form",
    pattern: new RegExp(
      `(?:보낸 ?사람|받는 ?사람|발신인?|수신인?|작성자|고객명|환자명|성명|명의자?|명의는?|대표자?|${
        alternatives(role)
      })(?:은|는|이|가|란)?(?: ?[:：]| |,)? ?["'“‘「]?(?<secret>${surname}[가-힣]{2})(?=["'”’」<(/]|\\s*(?:[,.\\n<(]|$))`,
      "gu"
    ),
    not: new RegExp(
      `${nouns.source}|^(?:연락|성명|주민|계좌|전화|여부|도장|서명|신분|고지|소개|안내|지정|배정|변경|교체)`,
      "u"
    ),
    where: "anywhere",
    example: "담당 조사관 석다올. 감면율은",
    counterexample: "담당자 연락처, 주소"
  },
  {
    name: "Korean: full name and an honoured title",
    pattern: new RegExp(
      `(?<![가-힣])(?<secret>${surname}[가-힣]{2}) (?=(?:원장|선생|교수|과장|부장|차장|팀장|대리|사장|대표|변호사|의사|간호사|조사관|주무관)님)`,
      "gu"
    ),
    not: /(?:원|교|과|부|실|반|집|관|소|점|사|회|당|동|련|인)$/u,
    where: "anywhere",
    example: "소아과 표은결 원장님은",
    counterexample: "유치원 선생님이"
  },
  {
    name: "Korean: our, by a given name",
    pattern: new RegExp(
      `(?:우리|저희|울) (?<secret>[가-힣]{2})(?=이(?:가|는|를|랑|도|한테|의)(?: |$))`,
      "gu"
    ),
    not: /^(?:고양|원숭|강아|어린|젊은|늙은|호랑|아들|선생|남편)/u,
    where: "anywhere",
    example: "우리 하늘이가 열이",
    counterexample: "우리 고양이가"
  },
  {
    name: "Korean: it is me",
    pattern: new RegExp(
      `(?:언니|오빠|형|누나|엄마|아빠|이모|삼촌|선배)[,!]? (?:나|저) (?<secret>[가-힣]{2,3}?)(?=(?:이야|야|예요|이에요)(?: |[^가-힣]|$))`,
      "gu"
    ),
    not: status,
    where: "anywhere",
    example: "언니 나 소라야",
    counterexample: "엄마 나 학생이야"
  },
  {
    name: "Korean: of a department",
    pattern: new RegExp(
      `(?:팀|부|과|실|점|센터|본부|사업소) (?<secret>${surname}[가-힣]{1,2})(?=(?:입니다|이에요|예요|인데요?|이고|이라고))`,
      "gu"
    ),
    not: new RegExp(`${nouns.source}|${status.source}`, "u"),
    where: "anywhere",
    example: "한빛상사 총무팀 배소율입니다",
    counterexample: "영업팀 직원입니다"
  },
  {
    name: "Korean: house of a relation in quotation marks",
    pattern: new RegExp(
      `(?:${who}) ?["'“‘「『](?<secret>[^"'“”‘’「」『』\\n]{2,20})["'”’」』]`,
      "gu"
    ),
    where: "anywhere",
    example: "세입자 '달콤제과' 내보내고",
    counterexample: "친구와 '기생충' 보고"
  },
  {
    name: "Korean: relation by its country, with a name",
    pattern:
      /(?:분|친구|사람|직원|동료|애|아이)\((?<secret>[가-힣]{2,6}(?: [가-힣]{2,6}){0,3})\)/gu,
    not: /^(?:남자|여자|외국인|한국인|정규직|계약직|아르바이트|미성년|성인)/u,
    where: "anywhere",
    example: "네팔 분(구룽 비스누)인데",
    counterexample: "직원(정규직)은"
  },
  {
    name: "Korean: called a friend",
    pattern:
      /(?<![가-힣])(?<secret>[가-힣]{2,4}?)(?=이?라는 (?:친구|분|사람|애|직원|동료|학생|아이))/gu,
    not: /^(?:이런|그런|어떤|미성년자|외국인)/u,
    where: "anywhere",
    example: "직원은 타망이라는 친구예요",
    counterexample: "어떤 친구예요"
  },
  {
    name: "Korean: relation and given name",
    pattern: new RegExp(
      `${who}(?:인|이신|이자)?[ ,(]{1,2}(?<secret>${given}{2}(?:이(?=가|는|를|랑|한테|의|도|네))?)${behind}`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "남편 재훈이가 일본에서",
    counterexample: "남편 회사가"
  },
  {
    name: "Korean: names joined",
    pattern: new RegExp(
      `(?:쌍둥이|아들|딸|자매|형제|남매|친구|아이들?) [가-힣]{2,4}?(?:이랑|랑|와|과|하고|,) ?(?<secret>${given}{2})(?=${particles}|[^가-힣])`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "쌍둥이 이안이랑 로아 출산",
    counterexample: "아이 이유식과 간식"
  },
  {
    name: "Korean: pet and name",
    pattern: new RegExp(
      `(?:강아지|고양이|반려견|반려묘|댕댕이|냥이|햄스터|앵무새|멍멍이)(?:인|이름은|이름이)?[ ,(]{1,2}(?<secret>[가-힣]{2,3}?)(?=이?(?:가|는|를|은|을|한테|도|랑|인데)(?:[^가-힣]|$)|[,)])`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "우리 강아지 초코가 포도를",
    counterexample: "강아지 사료를"
  },
  {
    name: "Korean: name and honorific",
    pattern: new RegExp(
      `(?<![가-힣])(?<secret>${surname}[가-힣]{1,2}|[가-힣]{2,3})(?= ?씨(?:가|는|를|의|한테|에게|랑|도|와|,|[^가-힣]|$)| 님(?:[^가-힣]|이|은|께)| ?(?:군|양)(?:이|은|의) )`,
      "gu"
    ),
    not:
      /^(?:날|솜|말|아저|아가|글|불|마음|부모|손|선생|고객|사장|원장|교수|팀장|장모|장인|어머|아버|시어머|할머|할아버|변호사|의사|집주인|세입자|대표|이모|회원|임차인|임대인)/u,
    where: "anywhere",
    example: "김 대리님과 최동철 씨가",
    counterexample: "오늘 날씨가 어때"
  },
  {
    name: "Korean: name and title",
    pattern: new RegExp(
      `(?<![가-힣])(?<secret>${surname}(?:${given}{1,2}(?= ?(?:선생님|선생|대리|과장|차장|부장|팀장|사장|원장|대표|아저씨|아줌마|여사|할머니|할아버지|교수님|변호사님?|간호사)))|${surname}(?= (?:대리|과장|차장|부장|팀장|사장|대표|원장|선생)))`,
      "gu"
    ),
    not: nouns,
    where: "statement",
    example: "담임 배현숙 선생님이",
    counterexample: "우리 담임 선생님이"
  },
  {
    name: "Korean: employer",
    pattern:
      /(?<secret>[가-힣A-Za-z0-9&]{2,12})(?=(?:에서|에) ?(?:[가-힣]{2,6}(?:으로|로) )?(?:다니|다녀|다닙|다닌|근무|일하|일해|일합|일한|재직|입사|재학|알바|인턴|취직|취업)|에서 ?(?:퇴사|해고))/gu,
    not: workplaces,
    where: "anywhere",
    example: "부산에서 스타벅스에 다녀요",
    counterexample: "해외에서 일하고"
  },
  {
    name: "Korean: school",
    pattern: new RegExp(
      `(?<![가-힣])(?<secret>[가-힣]{2,8}(?:${
        alternatives(org.replace("|병원|의원", "").replace("|학원", ""))
      }))`,
      "gu"
    ),
    not:
      /^(?:국립|공립|사립|국제|외국인|일반|특성화|과학|외국어|공공|민간|우리|국공립|병설|직장|가정|영어)|^(?:초등학교|중학교|고등학교)$/u,
    where: "anywhere",
    example: "햇살유치원에 다니는데",
    counterexample: "국제고등학교 입학"
  },
  {
    name: "Korean: end of a letter",
    pattern:
      /(?<![가-힣])(?<secret>[가-힣]{2,4})(?= ?(?:드림|올림)(?:[^가-힣]|$)| 배상(?:[^가-힣]|$))|(?:^|\n|[.!?] ?)[-—–] ?(?<!\d)(?:[가-힣]{2,4}?)(?=이?가?\s*$)/gu,
    where: "anywhere",
    example: "감사합니다. 임채원 드림",
    counterexample: "눈 올림픽"
  },
  {
    name: "Korean: self at the end of a statement",
    pattern: new RegExp(
      `(?:학년|살|세|사는|다니는|근무하는) (?<secret>${surname}?${given}{2})(?=예요|이에요|입니다|인데요?|이고|이구요|이며)|(?<=^|[.!?\\n] ?|저 )(?<secretly>${surname}${given}{2})(?=(?:인데요?|입니다|이에요|예요)(?:[^가-힣]|$))`
        .replace("(?<secretly>", "(?:"),
      "gu"
    ),
    not: new RegExp(`${nouns.source}|${status.source}`, "u"),
    where: "anywhere",
    example: "2학년 유나예요",
    counterexample: "3학년 학생이에요"
  },
  {
    name: "Korean: called by name",
    pattern: new RegExp(
      `(?<![가-힣])(?<secret>${given}{2})(?=(?:이)?야 ?(?:라고|,|!))|(?<=^|[.!?\\n] ?)${given}{2}(?=야,? [가-힣]|아,? )`,
      "gu"
    ),
    not: new RegExp(
      `${nouns.source}|^(?:러시|조지|동남|동북|서남|콜롬비|시리|영유|이거|그거|저거|어디|누구|언제|이게|그게|도대체)`,
      "u"
    ),
    where: "anywhere",
    example: "민수야 라고 부르는",
    counterexample: "뭐야, 이게"
  },
  {
    name: "Korean: foreign name behind a relation",
    pattern:
      /(?:여자친구|남자친구|남편|아내|와이프|여친|남친|며느리|사위|친구) (?<secret>[가-힣]{1,4} [가-힣]{1,3} [가-힣]{1,3}?)(?=이 |가 |은 |는 |이랑)/gu,
    not: /(?:하고|해서|에서|한테|으로|이랑|랑|와|과|에|를|을|가|는|은) /u,
    where: "anywhere",
    example: "여자친구 응우옌 티 란이 베트남",
    counterexample: "남편 회사에서 일이 많"
  },
  {
    name: "Korean: elder in name",
    pattern: new RegExp(
      `(?<![가-힣])(?<secret>${surname}?${given}{2})(?= (?:언니|오빠|형|누나|이모|고모|삼촌|할머니|할아버지)(?:가|는|이|은|한테|랑|의))`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "시누 현정 언니가 이혼",
    counterexample: "우리 언니가"
  },
  {
    name: "Korean: relation who is called",
    pattern: new RegExp(
      `${who}(?:이|가|은|는)? ?(?:이름이|이름은)? ?(?<secret>[가-힣]{2,5}?)(?=이?라고(?: |$))`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "남친이 다니엘이라고 호주 사람",
    counterexample: "남편이 뭐라고"
  },
  {
    name: "Korean: our, with a remark",
    pattern: /(?:우리|저희|울) (?:집 )?(?<secret>[가-힣]{2,4})(?=\()/gu,
    not: nouns,
    where: "anywhere",
    example: "우리 루나(말티즈)가",
    counterexample: "우리 회사(IT)가"
  },
  {
    name: "Korean: practice",
    pattern:
      /(?<![가-힣])(?<secret>[가-힣]{2,6}(?:소아과|치과|내과|외과|피부과|안과|이비인후과|산부인과|정형외과|한의원|의원|약국|어학원|학원))/gu,
    not:
      /^(?:동네|근처|대학|종합|개인|야간|주말|성형|정형|신경|흉부|이비인후과|산부인과|정형외과|성형외과|신경외과|일반|영어|수학|미술|피아노|보습)/u,
    where: "statement",
    example: "동네 튼튼소아과 원장님이",
    counterexample: "근처소아과"
  }
]
