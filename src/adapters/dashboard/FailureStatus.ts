/** The HTTP status of a failed page, and the title that says it in words. */

export const statusOf = (failure: { readonly _tag: string }): number => {
  switch (failure._tag) {
    case "SessionNotFound":
    case "PackNotFound":
      return 404
    case "Forbidden":
      return 403
    case "ReceiptUnavailable":
    case "SessionHeld":
      return 409
    case "SessionErased":
      return 410
    case "InvalidInput":
      return 400
    case "Overloaded":
    case "LimitReached":
      return 429
    case "StoreUnavailable":
    case "IssuerUnavailable":
      return 503
    default:
      return 500
  }
}

export const titleOf = (status: number): string => {
  switch (status) {
    case 403:
      return "Not allowed"
    case 404:
      return "Not found"
    case 503:
      return "The event log is away"
    default:
      return "This did not work"
  }
}
