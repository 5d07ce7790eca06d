/** Alerts in words for a person: what is wrong, and what to do. */
import { Match } from "effect"
import { counted } from "../session/FactText.ts"
import type { Alert } from "./SearchHealth.ts"

export const sentence = (alert: Alert): string =>
  Match.valueTags(alert, {
    LogTampered: (alert) =>
      `The log of session ${alert.session_id} was changed by someone other than the service, at event ` +
      `${alert.version} (${alert.kind}), met ${moment(alert.since)}.`,
    LogUnsound: (alert) =>
      `The log is not as it was recorded: ${counted(alert.faults_count, "fault")}, the first one ` +
      `${alert.kind}, by the verification of ${moment(alert.at)}.`,
    SuccessRateLow: (alert) =>
      `Only ${percent(alert.web_search_success_rate)} of the ${alert.attempts} searches of ` +
      "the last hour succeeded.",
    EngineFailing: (alert) =>
      `The engine ${alert.engine} failed ${alert.failed} of ${alert.asked} times in the last ` +
      `hour (${alert.reason}); local engines answered in its place.`,
    CreditsDrift: (alert) =>
      `Key ${alert.key_slot} of ${alert.provider} used ${
        grouped(alert.credits_reported)
      } credits in ${alert.month} by the provider's count and ${
        grouped(alert.credits_counted)
      } by ours, at ${moment(alert.at)}.`,
    CeilingNear: (alert) =>
      `${ceilingOwner(alert)} used ${amount(alert, alert.used)} of ${
        amount(alert, alert.ceiling)
      } in ${alert.month}.`,
    KeyMissing: (alert) =>
      `${alert.provider} has no key in slot ${alert.key_slot}, since ${moment(alert.since)}.`,
    KeyDisabled: (alert) =>
      `Key ${alert.key_slot} of ${alert.provider} is disabled (${alert.reason}), ` +
      `since ${moment(alert.since)}.`,
    KeyCooling: (alert) =>
      `Key ${alert.key_slot} of ${alert.provider} rests (${alert.reason}) ` +
      `until ${moment(alert.until)}.`
  })

export const advice = (alert: Alert): string =>
  Match.valueTags(alert, {
    LogTampered: () => "Stop other writers to the database, and compare with a backup.",
    LogUnsound: () => "Run verify --all for all faults, and compare with a backup.",
    SuccessRateLow: () =>
      "Look at the providers below; where all of them fail, look at the network.",
    EngineFailing: (alert) =>
      alert.reason === "timeout"
        ? "Look at the model's server; raise ENGINE_TIMEOUT_MS or take a faster model."
        : "Look at the model's server, its address and its key.",
    CreditsDrift: () => "See who else uses the key; the ledger keeps to our own count.",
    CeilingNear: () => "Raise the ceiling, or go on without what it is for when it is used up.",
    KeyMissing: () => "Set the provider's key, or take the provider out of the chain.",
    KeyDisabled: () => "Replace the key and restart.",
    KeyCooling: () => "Nothing: it is used again by itself. Add a key where this happens often."
  })

type CeilingNear = Extract<Alert, { readonly _tag: "CeilingNear" }>

const ceilingOwner = ({ key_slot, provider, tenant_id }: CeilingNear): string =>
  tenant_id === undefined ? `Key ${key_slot} of ${provider}` : `Tenant ${tenant_id}`

const amount = ({ of }: CeilingNear, used: number): string =>
  of === "cost" ? `${(used / 1_000_000).toFixed(2)} US dollars` : `${grouped(used)} ${of}`

/** A share near none or all is not rounded to it. */
export const percent = (share: number): string => {
  if (share > 0 && share < 0.001) return "<0.1%"
  if (share < 1 && share >= 0.9995) return ">99.9%"
  return `${(share * 100).toFixed(1).replace(/\.0$/, "")}%`
}

export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",")

const moment = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`
