import { assert, describe, it } from "@effect/vitest"
import { isAskedFor } from "../src/privacy/QueryPrivacy.ts"

describe("what nobody is asked for", () => {
  it.each([
    "What is your password?",
    "Which PIN do you use?",
    "Your credit card, please?",
    "暗証番号は何ですか",
    "비밀번호가 무엇인가요?",
    "您的验证码是多少？",
    "Wie lautet Ihr Passwort?",
    "Quel est votre mot de passe ?"
  ])("is seen in: %s", (text) => assert.isTrue(isAskedFor(text)))

  it.each([
    "Which visa type do you hold?",
    "How many people live in the flat?",
    "When did the lease begin, and what does it say about pins and screws in walls?",
    "Is the card accepted on trams?"
  ])("is not seen in: %s", (text) => assert.isFalse(isAskedFor(text)))
})
