/** How names are introduced in Japanese. */
import type { NamePattern } from "./NamedPattern.ts"
import { alternatives } from "./PrivateText.ts"
import { unspacedWords } from "./UnspacedWords.ts"

const { kin, role } = unspacedWords.ja
const family = alternatives(kin)
const who = `(?:${alternatives(`${kin}|${role}`)})`
const han = "[\\p{Script=Han}々]"
const kana = "[ァ-ヴー・]"
const surname =
  "(?:五十嵐|勅使河原|佐藤|鈴木|高橋|田中|伊藤|渡辺|渡邊|渡部|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|林|斎藤|斉藤|清水|山崎|森|池田|橋本|阿部|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本|福田|太田|西村|藤井|金子|岡本|藤原|三浦|中野|原田|松田|竹内|田村|中川|安藤|河野|宮崎|上田|森田|酒井|工藤|横山|柴田|高木|内田|[\\p{Script=Han}]{1,2}(?:田|村|山|川|本|野|藤|木|島|崎|井|原|谷|沢|澤|橋|岡|尾|口|所|梨|岸|浦|塚|宅|寺))"
/** Signs of given names. */
const given =
  "[太郎一二三四五六七八九十子美奈香恵菜里紀樹斗也哉翔輝彦雄男夫花乃衣葵蓮陽翼咲結莉愛凛凜真優希健大輔介拓直浩裕由和智佳明隆博修治誠豪剛勇昇悟徹亮涼遼諒遥悠祐雅正義之幸孝光秀英豊実稔進茂清勝昭弘宏貴敬敏哲達竜龍馬舞麻友梨沙紗彩綾千春夏秋冬桜楓椿蘭薫忍純聡慎司康平洋海空颯湊律蒼碧朝暖心音詩琴歌源次良信成久久典文章圭啓慶佑匠匡宗寛潤淳俊駿瞬旭昌晃晶暁理央絵枝代世津江恭順望歩杏柚朱萌芽苺莓瑠璃瑛珠奏楽雪月星亜未来生]"
const behind = "(?=[がはをにもとのへ、。，,（(）)」\\s]|さん|くん|ちゃん|君|様|から|って|です|$)"
const nouns =
  /^(?:大家|一人|二人|三人|子|男|女|夫|本人|生|心|音|歌|空|海|花|馬|星|月|雪|春|夏|秋|冬|一|二|三|未来|来月|来年|来春|一生|生活|生理|進学|文章|世代|年代|正月|大事|大切|友人|介護|結婚|離婚|手術|成人|一緒|一番|一時|一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|英文|実|実子|養子|次男|長男|太子|椅子|様子|帽子|息子|男子|女子|義理|料理|代理|代|世|理由|希望|信望|誠心|健康|健一号|平和|平成|昭和|令和|大正|明治|光|治|修|進|楽|久|清|実家|直|誕生)$/u
const loans =
  /^(?:ビザ|パスポート|スマホ|アレルギー|マイナンバー|ワクチン|インフル|カード|パート|バイト|アルバイト|ローン|アカウント|インスタ|ライン|メール|データ|トイレ|フード|ペット|ケガ|ガン|ビデオ|ゲーム|テレビ|ピアノ|クラス|クラブ|プール|ストレス|トラブル|パワハラ|セクハラ|マンション|アパート|ハラスメント|コロナ|アトピー|リハビリ|ケア|サイズ|シャンプー|エサ|ノミ|ダニ|フィラリア|マイクロチップ|ヒート|クレジットカード|キャッシュカード|インプラント|タバコ|アルコール|サービス|ホテル|チケット|コンビニ|スーパー|フランス|アメリカ|ドイツ|ベトナム|ブラジル|インド|タイ|イタリア|スペイン|ロシア|カナダ|フィリピン|ネパール|オーストラリア|イギリス|[ァ-ヴー]*(?:人|語|ビザ|カード|ケース|アプリ|サイト|メンバー|マンション|ハウス|ホーム|スクール))$/u
const commons =
  /^(?:お?(?:母|父|兄|姉|祖母|祖父|爺|婆|客|嬢|嫁|子|医者|巡り|手伝い)|皆|みな|奥|旦那|大家|娘|息子|赤|神|仏|王|姫|店員|看護師|医者|歯医者|弁護士|管理人|担当|担当者|業者|隣|隣人|友達|社員|従業員|運転手|警察|お巡り|大工|職人|作者|患者|入居者|先輩|後輩|上司|部下|社長|店長|課長|部長|係長|先生|教授|園長|校長|院長|学校|担任|主治医|小児科|かかりつけ|お疲れ|ご苦労|学生|生徒|赤ちゃん|おば|おじ|たく|屋|本屋|花屋|不動産屋|[\p{Script=Han}]{1,4}(?:業者|屋|会社|員|師|士|者|係|科|医))$/u

export const japanesePatterns: ReadonlyArray<NamePattern> = [
  {
    name: "Japanese: house of one's own",
    pattern:
      /(?:勤務先|勤め先|会社|職場|バイト先|派遣先|就職先|内定先|前職|学校|かかりつけ)(?:は|の|が|である|、|\()(?<secret>(?:[\p{Script=Han}々ァ-ヴー・A-Za-z&]{2,12})(?:商事|製作所|工業|電機|精工|産業|建設|運輸|物流|製薬|銀行|食品|不動産|ホールディングス|コーポレーション|システムズ?|サービス|商店|堂|病院|学園|興業|電気|自動車|印刷|(?=です|という|で働)))/gu,
    not: /^[\p{Script=Han}]{0,3}(?:銀行|不動産|病院|物流|建設|企業|会社|業|系|都内|東京|大阪)$/u,
    where: "anywhere",
    example: "会社は東洋ハルカ商事です",
    counterexample: "会社の銀行口座"
  },
  {
    name: "Japanese: house of one's own in brackets",
    pattern:
      /(?:勤務先|勤め先|会社|職場|バイト先|パート先|派遣先|取引先|就職先|内定先|前職|通院先|学校|保育園|塾)[(（](?<secret>[^()（）\n]{2,20})[)）]/gu,
    not:
      /^(?:都内|東京|大阪|正社員|契約|派遣|パート|アルバイト|IT|製造|医療|小売|飲食|公立|私立|\d)/u,
    where: "anywhere",
    example: "バイト先(居酒屋とんぼ丸)で",
    counterexample: "会社(製造業)で"
  },
  {
    name: "Japanese: role, name and title",
    pattern: new RegExp(
      `(?:担任|副担任|主治医|担当医|担当|顧問|教頭|校長|院長|店長|隣|上の階|向かい)の(?<secret>${han}{1,5}|${kana}{2,10})(?=先生|さん|医師|氏|様)`,
      "gu"
    ),
    not: new RegExp(`^(?:${who}|お?(?:医者|客|部屋|家)|者)`, "u"),
    where: "anywhere",
    example: "担任の四月一日先生は",
    counterexample: "担当の者さんに"
  },
  {
    name: "Japanese: private or public school by its name",
    pattern:
      /(?:私立|市立|県立|都立|府立|道立|町立|村立)(?<secret>[\p{L}ー]{2,14}?(?:学園|学院|高校|高等学校|中学校|中学|小学校|幼稚園|保育園))/gu,
    not: /^(?:の|全|各|高校|中学|小学|大学)/u,
    where: "statement",
    example: "息子が私立ひばりが嶺学園中等部で",
    counterexample: "私立の高校の学費"
  },
  {
    name: "Japanese: role and name by a point",
    pattern: new RegExp(
      `(?:${who})・(?<secret>${han}{1,4}|${kana}{2,8})(?=[がはをにもとのへ、。から])`,
      "gu"
    ),
    not: new RegExp(`^(?:${who})`, "u"),
    where: "anywhere",
    example: "店長・御手洗に言われ",
    counterexample: "医師・看護師の"
  },
  {
    name: "Japanese: is called",
    pattern: new RegExp(
      `(?<secret>(?:${han}|${kana}|[ぁ-ん]){1,10}?|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)(?=と(?:申し|申す|いいま|言いま|いう者|名乗))`,
      "gu"
    ),
    not: /[はがをに、]|^(?:なん|何|そう|どう|こう)/u,
    where: "anywhere",
    example: "佐々木遥と申します",
    counterexample: "なんと言いますか"
  },
  {
    name: "Japanese: I am",
    pattern: new RegExp(
      `(?:私|僕|俺|わたし|あたし|自分|当方)(?:の名前)?(?:は|、|が)、?(?<secret>${han}{1,5}|${kana}{2,12})(?=です|と申|、|。|といい)`,
      "gu"
    ),
    not:
      /(?:人|員|生|者|師|主|民|婦|士|手|親|年|歳|性|長|職|家|(?<!田|竹|山|野|浜)中|代|妻|夫|娘|母|父|フリーター|サラリーマン|パート|パートタイマー|エンジニア|デザイナー|シングルマザー|アルバイト|本当|現在|今年|来年|今月|最近|以前|普段|毎日|昨日|今日|今|先日|先月|去年|昨年)$/u,
    where: "anywhere",
    example: "私は高梨です",
    counterexample: "私は会社員です"
  },
  {
    name: "Japanese: name field",
    pattern: new RegExp(
      `(?:名前は|(?:名前|氏名)(?:[:：は]\\s?|\\s)|本名は|名は)(?<secret>(?:${han}|${kana}){1,3}[ 　](?:${han}|${kana}){1,6}(?=[、。,\\s]|です|と|$)|(?:${han}|${kana}){2,10}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){0,3}|[ぁ-ん]{2,5}(?=です|と|って))`,
      "gu"
    ),
    not: /^何/u,
    goes: "with its lead",
    where: "anywhere",
    example: "氏名：鈴木一郎",
    counterexample: "名前は何ですか"
  },
  {
    name: "Japanese: opens with a name",
    pattern: new RegExp(
      `(?<=^|[。！!\\n]\\s?|ですが、|の)(?<secret>${surname}${han}{0,3}|${han}{1,2}${given}{1,2})(?=です(?:[。、が]|けど|けれど))`,
      "gu"
    ),
    not:
      /(?:人|員|生|者|師|主|民|婦|士|問|談|件|学|業|中|料|金|心者|代|親|夫|妻|娘|目|様|年|歳|語|国|県|市|区)$/u,
    where: "anywhere",
    example: "田所です、いつも",
    counterexample: "質問です。"
  },
  {
    name: "Japanese: relation and name",
    pattern: new RegExp(
      `${who}(?:の|、|（|\\(|「|である|で)(?<secret>(?:${surname})?${given}{1,3}|${surname}(?:${han}|${kana}){0,5})${behind}`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "夫の健太がうつ病",
    counterexample: "夫の会社が"
  },
  {
    name: "Japanese: relation with the name beside it",
    pattern: new RegExp(
      `(?:${family})(?<secret>${given}{2,4}|${surname}${given}{1,3})${behind}`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "祖父源三郎が免許を",
    counterexample: "母子手帳は"
  },
  {
    name: "Japanese: relation and foreign name",
    pattern: new RegExp(
      `${who}(?:の|、|（|\\(|「)(?<secret>${kana}{2,20}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){0,2})(?=[がはをにもと（(）)」、]|さん|くん|ちゃん|$)`,
      "gu"
    ),
    not: loans,
    where: "anywhere",
    example: "彼氏のリュカはフランス人",
    counterexample: "夫のビザは"
  },
  {
    name: "Japanese: child or pet by a name in kana",
    pattern:
      /(?:娘|息子|子|双子|孫|甥|姪|犬|猫|愛犬|愛猫|文鳥|うさぎ|インコ|ハムスター|ペット|彼女|彼氏|妻|嫁|夫|旦那|母|父|祖母|祖父|姉|妹|兄|弟|友達|友人|うちの子)(?:の|、|（|\(|「)(?<secret>[ぁ-ん]{2,5}?|[ァ-ヴー]{1,5}[ぁ-ん]{0,3})(?=(?:[がはを（(）)」、]|くん|ちゃん|さん))/gu,
    not:
      /^(?:ため|こと|ほう|とき|うち|もの|よう|せい|ごはん|おもちゃ|いびき|がん|うつ|ぜんそく|おなか|めまい|からだ|あし|こし|ひざ|いえ|おかね|おふろ|ごみ|けが|いじめ|おむつ|しつけ|えさ|ごはん|くせ|ひげ|つめ|しっぽ)$/u,
    where: "anywhere",
    example: "うちの猫のみかんが",
    counterexample: "娘のおもちゃが"
  },
  {
    name: "Japanese: name and honorific",
    pattern: new RegExp(
      `(?:(?<=^|[、。「（(\\sのはがをにとも])|(?<![\\p{Script=Han}々ァ-ヴー]))(?<secret>${han}{1,4}|${kana}{2,12}|(?<!お)[ぁ-ん]{2,4}?(?=ちゃん|くん))(?=さん|様(?![々子式])|さま|くん|君(?=[がはをにのと、])|ちゃん|氏(?=[がはをにのと、]))`,
      "gu"
    ),
    not: commons,
    where: "statement",
    example: "大家の黒田さんが敷金を",
    counterexample: "大家さんが敷金を"
  },
  {
    name: "Japanese: name and title",
    pattern: new RegExp(
      `(?<=^|[、。「(の\\sはがをにと])(?<secret>${surname}${han}{0,2}|${han}{2,3})(?=先生|課長|部長|社長|院長|店長|係長|教授|主任|医師|弁護士|先輩)`,
      "gu"
    ),
    not: commons,
    where: "anywhere",
    example: "担任の大久保先生が",
    counterexample: "担任の先生が"
  },
  {
    name: "Japanese: employer",
    pattern:
      /(?<secret>(?:(?<=[はが、])[ぁ-ん]{2,4}(?=\p{Script=Han}))?(?:[\p{Script=Han}々ァ-ヴー・A-Za-z0-9&]|(?<=[ァ-ヴー])の){2,14})(?=(?:に勤め|に勤務|勤務(?:です|で|の|し)|で働|でバイト|でパート|でアルバイト|に入社|に就職|に在籍|の社員|に転職|で派遣|を退職|を辞め|に通う|に通っ))/gu,
    not:
      /^(?:会社|工場|病院|銀行|学校|大学|小学校|中学校|高校|大学院|外資系?|正社員|東京|大阪|名古屋|京都|福岡|札幌|横浜|日本|海外|在宅|飲食店|レストラン|コンビニ|スーパー|カフェ|ホテル|介護施設|現場|夜間|夜勤|一緒|企業|大手企業|中小企業|外国|アメリカ|工事現場|リモート|パート|アルバイト|派遣|塾|ジム|保育園|幼稚園|職場|仕事|役所|市役所|\d+年|今年|\p{Script=Han}*(?:会社|業|系|員|年間?|か月))$/u,
    where: "anywhere",
    example: "名古屋でトヨタ紡織に勤めています",
    counterexample: "会社に勤めています"
  },
  {
    name: "Japanese: school or house",
    pattern:
      /(?<=^|[、。はがをのにでも「（(\s])(?:公立|私立|国立|県立|市立|区立|都立)?(?<secret>(?:[\p{Script=Han}々ァ-ヴー]{2,8}|[ぁ-ん]{2,6})(?:小学校|中学校|高等学校|高校|幼稚園|保育園|こども園|クリニック|医院|株式会社)|(?:株式会社|有限会社|合同会社)[\p{Script=Han}々ァ-ヴーA-Za-z]{2,12})/gu,
    not:
      /^(?:公立|私立|国立|県立|市立|認可|認可外|無認可|地元|近所|全国|商業|工業|定時制|通信制|美容|皮膚科)/u,
    where: "statement",
    example: "娘がひまわり保育園で",
    counterexample: "公立高校は"
  },
  {
    name: "Japanese: named so",
    pattern:
      /(?<=^|[、。はがをのに「\s])(?<secret>[ァ-ヴーぁ-ん\p{Script=Han}]{1,8}?)(?=(?:という|って)(?:名前|いう名|犬|猫|子|人|友))/gu,
    not: /^(?:何|なん|そう|どう|こう)/u,
    where: "anywhere",
    example: "ポチって名前の犬",
    counterexample: "何という名前ですか"
  },
  {
    name: "Japanese: end of a letter",
    pattern: new RegExp(
      `(?:(?:します|ございます|敬具|です)[。！!]?\\s*\\n|\\n)\\s*(?<secret>${surname}${han}{0,3}|${han}{2,3}${given}{1,2})(?=\\s*(?:より)?\\s*(?:\\n|$))|(?<=^|[。？?！!、\\s])(?:${han}{1,5}|${kana}{2,8}|[ぁ-ん]{2,6}?)(?=より[。！!]?\\s*$)`,
      "gu"
    ),
    where: "anywhere",
    example: "よろしくお願いします。\n中村美穂\n",
    counterexample: "確定申告\nの期限"
  },
  {
    name: "Japanese: born so",
    pattern: new RegExp(
      `(?:生まれの|歳の|在住の)(?<secret>${han}{2,5}|${kana}{2,12})(?=です|ですが|と申|、)`,
      "gu"
    ),
    not: /(?:人|員|生|者|師|主|婦|士|性|親|娘|母|父|男|女)$/u,
    where: "anywhere",
    example: "5月12日生まれの野口修ですが",
    counterexample: "25歳の会社員です"
  },
  {
    name: "Japanese: names joined",
    pattern: new RegExp(
      `(?:双子|娘|息子|兄弟|姉妹|子供|子ども|友達|友人)の(?:${han}|${kana}|[ぁ-ん]){1,5}?と(?<secret>${given}{1,3}|${kana}{2,8})(?=[がはをにのも、])`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "双子の蓮と凛が生まれました",
    counterexample: "娘の学校と仕事が"
  }
]
