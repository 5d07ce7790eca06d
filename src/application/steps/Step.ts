/** The steps that are performed: `Request` comes from the caller and `Finish` ends the loop. */
import type { NextStep } from "../../domain/session/NextStep.ts"

export type PerformedStep = Exclude<NextStep, { readonly _tag: "Request" | "Finish" }>

export type StepOf<Tag extends PerformedStep["_tag"]> = Extract<
  PerformedStep,
  { readonly _tag: Tag }
>
