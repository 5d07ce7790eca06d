/** Closed classes of Chinese words: see `Language`. */
import type { Language } from "./Language.ts"

export const zh: Language = {
  code: "zh",
  isSpaced: false,
  common: "",
  pointsBack:
    "这|那|它|他|她|其中|其|但|因此|所以|例如|此外|然而|否则|不过|同样|此时|该|上述|而且|并且",
  pointsNowhere: "本网站|其他",
  takesBack:
    "误区|谣言|误解|错误|不实|假的|不是真的|迷信|辟谣|不再|已废止|废止|禁止|不得|不允许|不可|" +
    "不能|切勿|请勿|除外|例外|不包括|不含|不属于|更正|相反",
  negates: "不|没|無|无|非|未|禁止|勿|别",
  limits: "有些|部分|如果|除非|例外|例如|以前|曾经|优惠|草案",
  atMost: "最多|以内|以下|不超过|上限",
  atLeast: "最少|以上|至少|起",
  months:
    "一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月|1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
  weekdays: "星期一|星期二|星期三|星期四|星期五|星期六|星期日|周一|周二|周三|周四|周五|周六|周日",
  reader: "你|您|你们|您的",
  yesNo: "是的|不是|不会|不能|可以|不可以|当然|对|错|没错|视情况",
  questionMark: "q|问|问题",
  answerMark: "a|答|回答",
  furniture: "版权所有|点击|隐私政策|用户协议|登录|注册|订阅|联系我们|阅读更多|查看更多|目录|©"
}
