import { getOption } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

import {
  BadRequestSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";
import {
  ErrorReasonOptions_Retry,
  ErrorReasonSchema,
  error_reason,
} from "./gen/taflhall/v1/error_reason_pb.js";
import type { ErrorReason } from "./gen/taflhall/v1/error_reason_pb.js";
import type { PlayAllFailure, PlayRejection } from "./gen/taflhall/v1/match_service_pb.js";

/** The reasons of the contract, without their prefix: `"STALE_DECISION"`. */
export type KnownReason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

/**
 * Why a call failed: a reason of the contract, also one that is newer than this client; the gRPC
 * status code of an error without one, such as `"UNAVAILABLE"`; `"REPLACED"` for a stream that ended
 * because another caller acts for the seat; or `"INVALID_ADDRESS"` for what cannot be an address.
 */
export type Reason = KnownReason | "INVALID_ADDRESS" | "REPLACED" | (string & {});

/** One fault of a setup. */
export interface Violation {
  /** The path of the field in the request. */
  readonly field: string;
  readonly code: string;
  /** What was expected and what was found, in the language of the client. */
  readonly text: string;
}

const DOMAIN = "taflhall";
const UNCERTAIN = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
]);
const OPTIONS = new Map(
  ErrorReasonSchema.values.map((value) => [value.localName, getOption(value, error_reason)]),
);

/** Anything that goes wrong between this client and a server. */
export class TaflhallError extends Error {
  override readonly name: string = "TaflhallError";
  readonly reason: Reason;
  /** What the contract says more about the reason. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The call may have been carried out: only the same request again tells. */
  readonly uncertain: boolean;
  /** How long the server asks to wait before the call is repeated; 0 if it does not. */
  readonly retryAfterMs: number;
  /** The faults of a setup or a time control. */
  readonly violations: readonly Violation[];
  private readonly texts: ReadonlyMap<string, string>;

  /** The message is in the language of the client. */
  constructor(
    reason: Reason,
    message: string,
    details: {
      metadata?: Readonly<Record<string, string>>;
      uncertain?: boolean;
      retryAfterMs?: number;
      violations?: readonly Violation[];
      texts?: ReadonlyMap<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.reason = reason;
    this.metadata = details.metadata ?? {};
    this.uncertain = details.uncertain ?? false;
    this.retryAfterMs = details.retryAfterMs ?? 0;
    this.violations = details.violations ?? [];
    this.texts = details.texts ?? new Map();
  }

  /** Return the message in a language (BCP 47), or else in English. */
  text(language = "en"): string {
    return inLanguage(this.texts, language) ?? this.message;
  }
}

/** No server has ever answered this client; its reason is `UNAVAILABLE`. */
export class UnreachableError extends TaflhallError {
  /** The addresses that were tried. */
  readonly addresses: readonly string[];

  constructor(addresses: readonly string[], cause: TaflhallError) {
    const tried = addresses.join(", ");
    const message =
      `no server answers at ${tried}: does it run, are host and port right, ` +
      `and TLS on both sides or on neither? (${cause.message})`;
    super("UNAVAILABLE", message, { metadata: { addresses: tried }, uncertain: true, cause });
    this.addresses = addresses;
  }
}

/** Return whether *error* is one with that reason of the contract. */
export function hasReason<R extends KnownReason>(
  error: unknown,
  reason: R,
): error is TaflhallError & { readonly reason: R } {
  return error instanceof TaflhallError && error.reason === reason;
}

/** Return the error of a failed call, with texts in a language. */
export function fromCall(failure: unknown, language: string): TaflhallError {
  if (failure instanceof TaflhallError) return failure;
  const error = ConnectError.from(failure);
  const info = error.findDetails(ErrorInfoSchema).find((found) => found.domain === DOMAIN);
  const texts = new Map(
    error.findDetails(LocalizedMessageSchema).map(({ locale, message }) => [locale, message]),
  );
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const asked = delay ? Number(delay.seconds) * 1000 + delay.nanos / 1e6 : 0;
  const pushback = Number(error.metadata.get("grpc-retry-pushback-ms"));
  const violations = error.findDetails(BadRequestSchema).flatMap((bad) =>
    bad.fieldViolations.map(({ field, reason, description, localizedMessage: local }) => {
      const said = new Map(local && [[local.locale, local.message]]);
      return { field, code: reason, text: inLanguage(said, language) ?? description };
    }),
  );
  const code = isConnectionLost(error) ? Code.Unavailable : error.code;
  const reason = info?.reason ?? codeName(code);
  return new TaflhallError(reason, inLanguage(texts, language) ?? error.rawMessage, {
    metadata: info?.metadata ?? {},
    uncertain: isUncertain(info?.reason, code),
    retryAfterMs: Math.max(asked, pushback || 0),
    violations,
    texts,
    cause: failure,
  });
}

/** Return the error of an answer or a match that a stream has refused, with texts in a language. */
export function fromRejection(
  rejection: PlayRejection | PlayAllFailure,
  language: string,
): TaflhallError {
  const { reason, metadata } = rejection;
  const refusal = "refusal" in rejection ? rejection.refusal : undefined;
  const texts = new Map(
    OPTIONS.get(reason)?.texts.map(({ language, text }) => [language, filled(text, metadata)]),
  );
  const message = refusal?.text || (inLanguage(texts, language) ?? reason);
  return new TaflhallError(reason, message, { metadata, uncertain: isUncertain(reason), texts });
}

/** Return the error of a connection or a stream that was lost. */
export function lost(message: string): TaflhallError {
  return new TaflhallError("UNAVAILABLE", message, { uncertain: true });
}

function isUncertain(reason: string | undefined, code?: Code): boolean {
  const retry = reason === undefined ? undefined : OPTIONS.get(reason)?.retry;
  if (retry !== undefined) return retry === ErrorReasonOptions_Retry.SAME_REQUEST;
  return code !== undefined && UNCERTAIN.has(code);
}

/** Return the text in a language (BCP 47), or else in English, if there is one. */
function inLanguage(texts: ReadonlyMap<string, string>, language: string): string | undefined {
  return texts.get(language) ?? texts.get(language.split("-")[0] ?? "") ?? texts.get("en");
}

/** Return a text in which each placeholder, such as `{seat}`, is the value of that name. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

/** Return whether Node's HTTP/2 has failed; the library calls a reset connection aborted. */
function isConnectionLost(error: ConnectError): boolean {
  return error.code === Code.Aborted && error.cause !== undefined;
}

function codeName(code: Code): string {
  if (code === Code.Canceled) return "CANCELLED";
  return (Code[code] ?? "Unknown").replace(/(?<!^)(?=[A-Z])/g, "_").toUpperCase();
}
