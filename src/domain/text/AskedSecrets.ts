/** Words that ask a person for what no source's question can need. */

const secrets = [
  "pass(?:word|code|phrase)s?|(?<![\\p{L}\\p{N}])pin(?![\\p{L}\\p{N}])|cvv|cvc|(?:card|account|" +
  "passport) numbers?|credit card|bank account|social security|(?<![\\p{L}])ssn(?![\\p{L}])|" +
  "api key|access token|seed phrase|one[- ]time code|verification code|log ?in (?:details|data)",
  "パスワード|暗証番号|口座番号|カード番号|認証コード|マイナンバー",
  "비밀번호|계좌번호|카드번호|인증번호|주민등록번호|여권번호",
  "密码|密碼|口令|卡号|卡號|验证码|驗證碼|身份证号|銀行帳號|银行账号",
  "passwort|kennwort|kontonummer|kreditkarte|mot de passe|num[eé]ro de (?:carte|compte)|" +
  "contraseña|número de (?:tarjeta|cuenta)|senha|parola d.ordine|numero di (?:carta|conto)|парол"
]

const pattern = new RegExp(secrets.join("|"), "iu")

export const isAskedFor = (text: string): boolean => pattern.test(text)
