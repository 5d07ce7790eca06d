/**
 * Personal data leaves in no query, whatever mark is before or after it.
 *
 * Every canary is put between all marks that people and keyboards put around a number or a name.
 */
import { assert, describe, it } from "@effect/vitest"
import { strip } from "../src/privacy/QueryPrivacy.ts"

const behind = [
  ..." ,.;:!?…)]}>\"'*_~|/-–—·，。、．；：！？）］｝】〕」』》〉’”»・～",
  ", ",
  ". ",
  " - ",
  " （"
]
const before = [
  ..." ,.;:!?…([{<\"'*~|/-–—·=#，。、．；：！？（［｛【〔「『《〈‘“«・～",
  "no. ",
  "is "
]

/** What a person might write, and the part of it that identifies them. */
const canaries: ReadonlyArray<readonly [text: string, secrets: ReadonlyArray<string>]> = [
  ["4111111111111111", ["4111", "1111"]],
  ["4111 1111 1111 1111", ["4111", "1111"]],
  ["4111-1111-1111-1111", ["4111", "1111"]],
  ["4111.1111.1111.1111", ["4111", "1111"]],
  ["4111–1111–1111–1111", ["4111", "1111"]],
  ["378282246310005", ["8224", "0005"]],
  ["5551234567", ["5551", "4567"]],
  ["555-123-4567", ["555", "4567"]],
  ["555.123.4567", ["555", "4567"]],
  ["555 123 4567", ["555", "4567"]],
  ["(415) 555-2671", ["415", "2671"]],
  ["+49 170 1234567", ["170", "4567"]],
  ["0049 170 1234567", ["170", "4567"]],
  ["030/12345678", ["1234", "5678"]],
  ["07700 900 123", ["7700", "900"]],
  ["06 12 34 56 78", ["12 34", "56 78"]],
  ["13812345678", ["1381", "5678"]],
  ["138 1234 5678", ["1234", "5678"]],
  ["010-9876-5432", ["9876", "5432"]],
  ["110105194912310021", ["1101", "0021"]],
  ["11010519491231002X", ["1101", "002X"]],
  ["900101-1234567", ["900101", "4567"]],
  ["078-05-1120", ["078", "1120"]],
  ["123 45 6789", ["123", "6789"]],
  ["ssn 123 45 6789", ["123", "6789"]],
  ["SSN: 123456789", ["1234", "6789"]],
  ["AB 12 34 56 C", ["12 34", "56"]],
  ["123.456.789-09", ["456", "789"]],
  ["12345678Z", ["1234", "5678"]],
  ["DE89 3704 0044 0532 0130 00", ["3704", "0532"]],
  ["DE89370400440532013000", ["3704", "0532"]],
  ["passport number M12345678", ["M1234", "5678"]],
  ["account number 12345678", ["1234", "5678"]],
  ["Steuer-ID 12 345 678 901", ["345", "901"]],
  ["DOB 04/22/1964", ["04/22", "1964"]],
  ["date of birth: 22 April 1964", ["22 April", "1964"]],
  ["my birthday is April 22, 1964", ["April 22", "1964"]],
  ["geboren am 22.04.1964", ["22.04", "1964"]],
  ["né le 22 avril 1964 : date de naissance 22/04/1964", ["22/04"]],
  ["生年月日は1985年3月12日", ["1985", "3月12日"]],
  ["出生日期1985年3月12日", ["1985", "3月12日"]],
  ["생년월일은 1985년 3월 12일", ["1985", "3월"]],
  ["jane.doe@example.com", ["jane", "doe"]],
  ["jane.doe @ example.com", ["jane", "doe"]],
  ["jane.doe＠example.com", ["jane", "doe"]],
  ["jane.doe(at)example.com", ["jane", "doe"]],
  ["jane.doe (at) example (dot) com", ["jane", "doe"]],
  ["jane.doe[at]example[dot]com", ["jane", "doe"]],
  ["jane.doe [at] example [dot] co [dot] uk", ["jane", "doe"]],
  ["jane.doe{at}example{dot}com", ["jane", "doe"]],
  ["jane.doe <at> example <dot> com", ["jane", "doe"]],
  ["jane.doe at example dot com", ["jane", "doe"]],
  ["jane.doe AT example DOT com", ["jane", "doe"]],
  ["jane dot doe at example dot com", ["jane", "doe"]],
  ["jane.doe at gmail.com", ["jane", "doe"]],
  ["jane.doe at gmail com", ["jane", "doe"]],
  ["jane.doe%40example.com", ["jane", "doe"]],
  ["jane.doe&#64;example.com", ["jane", "doe"]],
  ["jane.doe arroba example punto com", ["jane", "doe"]],
  ["jane.doe (ät) example (punkt) de", ["jane", "doe"]],
  ["jane.doe골뱅이example.com", ["jane", "doe"]],
  ["jane.doeアットマークexampleドットcom", ["jane", "doe"]],
  ["my name is Jane Doe", ["jane", "doe"]],
  ["my name is jane doe", ["jane", "doe"]],
  ["my name is Jane van der Doe", ["jane", "doe"]],
  ["Ich heiße Peter Müller", ["peter", "müller"]],
  ["mein Name ist Peter Müller", ["peter", "müller"]],
  ["Je m'appelle Jean Dupont", ["jean", "dupont"]],
  ["je m’appelle Jean-Luc Dupont", ["luc", "dupont"]],
  ["me llamo Juan Pérez García", ["juan", "pérez", "garcía"]],
  ["mi nombre es Juan Pérez", ["juan", "pérez"]],
  ["mi chiamo Mario Rossi", ["mario", "rossi"]],
  ["il mio nome è Mario Rossi", ["mario", "rossi"]],
  ["meu nome é João da Silva", ["joão", "silva"]],
  ["me chamo João Silva", ["joão", "silva"]],
  ["ik heet Jan de Vries", ["jan", "vries"]],
  ["nazywam się Jan Kowalski", ["jan", "kowalski"]],
  ["меня зовут Иван Петров", ["иван", "петров"]],
  ["我叫王小明", ["王小明", "小明"]],
  ["我的名字是王小明", ["王小明", "小明"]],
  ["我是王小明", ["王小明", "小明"]],
  ["私の名前は山田太郎", ["山田", "太郎"]],
  ["山田太郎と申します", ["山田", "太郎"]],
  ["私は山田太郎です", ["山田", "太郎"]],
  ["私はジョン・スミスです", ["ジョン", "スミス"]],
  ["제 이름은 김민지입니다", ["김민지"]],
  ["제 이름은 김민지", ["김민지"]],
  ["저는 김민지라고 합니다", ["김민지"]],
  ["My wife Maria Gonzalez", ["maria", "onzalez"]],
  ["my landlord Peter K. Novak", ["peter", "novak"]],
  ["my patient ROBERT OPPENHEIMER", ["robert", "oppenheimer"]],
  ["patient Robert Oppenheimer, DOB 04/22/1964", ["robert", "oppenheimer", "1964"]],
  ["ma femme Marie Curie", ["marie", "curie"]],
  ["mi esposa María López", ["maría", "lópez"]],
  ["meine Frau Maria Schmidt", ["maria", "schmidt"]]
]

const subject = "Can a bank in Japan refuse it"

/** The text, with the mark that is next to the canary. */
const framed = (text: string): ReadonlyArray<readonly [text: string, marks: string]> => [
  ...behind.map((mark) => [`Hello ${text}${mark} ${subject}?`, `behind ${mark}`] as const),
  ...behind.map((mark) => [`${text}${mark}${subject}?`, `close behind ${mark}`] as const),
  ...before.map((mark) => [`Hello${mark}${text}, ${subject}?`, `before ${mark}`] as const),
  [text, "alone"],
  [`${subject}? ${text}`, "at the end"],
  [`${subject}?\n${text}\n`, "on a line of its own"]
]

const leaks = (
  strips: (text: string) => string,
  [text, secrets]: typeof canaries[number]
): ReadonlyArray<string> =>
  framed(text).flatMap(([whole, marks]) => {
    const left = strips(whole).toLowerCase()
    return secrets.some((secret) => left.includes(secret.toLowerCase()))
      ? [`${marks}: ${left}`]
      : []
  })

describe("what reveals who a person is", () => {
  it.each(canaries)("is gone, whatever mark is next to it: %s", (...canary) => {
    assert.deepStrictEqual(leaks(strip, canary), [])
  })

  it.each(canaries)("goes alone, and the question stays: %s", (text) => {
    for (const mark of [",", ".", "，", "。", "、", ";", "?", "!", ")", "」", "”"]) {
      assert.include(strip(`${text}${mark} ${subject}?`), subject)
    }
  })

  it("stays where numbers are the question's own", () => {
    for (const mark of behind) {
      for (
        const number of ["1,428,627,663", "100000000000", "2019-2023", "40000", "3.141592653589"]
      ) {
        assert.include(strip(`Is it ${number}${mark} ${subject}?`), number)
      }
    }
  })
})
