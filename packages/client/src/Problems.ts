/** A class for each kind of problem that the service answers with. Written by `node scripts/clientContract.ts`; do not edit. */
import { type Problem, ServiceProblem } from "./Failure.ts"

type Named<Title> = new(
  problem: Problem,
  hasRun: boolean
) => ServiceProblem & { readonly name: Title; readonly _tag: Title }

const named = <Title extends string>(title: Title): Named<Title> =>
  class extends ServiceProblem {
    override readonly name = title
    readonly _tag = title
  }

/** The input does not fit the contract. Status 400. */
export class InvalidInput extends named("InvalidInput") {}

/** Not the version of the contract. Status 400. */
export class VersionMismatch extends named("VersionMismatch") {}

/** The body is not JSON that can be read. Status 400. */
export class MalformedBody extends named("MalformedBody") {}

/** Not a request that can be read. Status 400. */
export class MalformedRequest extends named("MalformedRequest") {}

/** No token that is accepted. Status 401. */
export class Unauthenticated extends named("Unauthenticated") {}

/** The token does not allow it. Status 403. */
export class ScopeMissing extends named("ScopeMissing") {}

/** Web pages of this origin may not call. Status 403. */
export class OriginRefused extends named("OriginRefused") {}

/** Nothing is there. Status 404. */
export class UnknownPath extends named("UnknownPath") {}

/** No such session is recorded. Status 404. */
export class SessionNotFound extends named("SessionNotFound") {}

/** No finished answer is recorded. Status 404. */
export class PackNotFound extends named("PackNotFound") {}

/** No such token is recorded. Status 404. */
export class TokenNotFound extends named("TokenNotFound") {}

/** Nothing of this source is in the store. Status 404. */
export class EvidenceNotFound extends named("EvidenceNotFound") {}

/** Not with this method. Status 405. */
export class MethodNotAllowed extends named("MethodNotAllowed") {}

/** No answer in a form that the caller takes. Status 406. */
export class NotAcceptable extends named("NotAcceptable") {}

/** The request was too slow to arrive. Status 408. */
export class RequestTimeout extends named("RequestTimeout") {}

/** The request id belongs to another question. Status 409. */
export class RequestConflict extends named("RequestConflict") {}

/** The deadline passed without an answer. Status 409. */
export class RequestInProgress extends named("RequestInProgress") {}

/** No receipt can be made of the answer now. Status 409. */
export class ReceiptUnavailable extends named("ReceiptUnavailable") {}

/** The session's content was erased. Status 410. */
export class SessionErased extends named("SessionErased") {}

/** The body is too large. Status 413. */
export class BodyTooLarge extends named("BodyTooLarge") {}

/** Not a body of JSON. Status 415. */
export class UnsupportedMediaType extends named("UnsupportedMediaType") {}

/** Not the name of this service. Status 421. */
export class WrongHost extends named("WrongHost") {}

/** The session is under legal hold. Status 423. */
export class SessionHeld extends named("SessionHeld") {}

/** Too many calls run already. Status 429. */
export class Overloaded extends named("Overloaded") {}

/** The tenant has used up what it is granted. Status 429. */
export class LimitReached extends named("LimitReached") {}

/** The address and headers are too large. Status 431. */
export class HeadTooLarge extends named("HeadTooLarge") {}

/** The service failed. Status 500. */
export class InternalFailure extends named("InternalFailure") {}

/** This deployment's login may not erase. Status 501. */
export class ErasureNotAllowed extends named("ErasureNotAllowed") {}

/** This deployment makes or keeps no vectors. Status 501. */
export class VectorsUnavailable extends named("VectorsUnavailable") {}

/** The embedder failed. Status 502. */
export class EmbedderFailed extends named("EmbedderFailed") {}

/** The web step of a research failed. Status 502. */
export class ResearchFailed extends named("ResearchFailed") {}

/** The page could not be read. Status 502. */
export class PageUnreadable extends named("PageUnreadable") {}

/** Too many connections are open. Status 503. */
export class TooManyConnections extends named("TooManyConnections") {}

/** The event log is not available. Status 503. */
export class StoreUnavailable extends named("StoreUnavailable") {}

/** The token cannot be checked now. Status 503. */
export class IssuerUnavailable extends named("IssuerUnavailable") {}

/** The service is ending. Status 503. */
export class Interrupted extends named("Interrupted") {}
