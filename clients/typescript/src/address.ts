import { TaflhallError } from "./errors.js";

/** What every API key begins with. */
const KEY_PREFIX = "tfk_";
const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.%]+\]|[^\s/@:[\]]+):(\d{1,5})$/;

/**
 * Return the addresses that a text names, with commas between.
 *
 * @throws {@link TaflhallError} with the reason `INVALID_ADDRESS`.
 */
export function hostsAndPorts(text: string): string[] {
  return text.split(",").map((part) => {
    const address = part.trim();
    const port = Number(HOST_AND_PORT.exec(address)?.[2]);
    if (port >= 1 && port <= 65_535) return address;
    throw invalid(address, "HOST:PORT, such as localhost:50051");
  });
}

/** Return the URLs that a text names, with commas between; throw as {@link hostsAndPorts} does. */
export function webUrls(text: string): string[] {
  return text.split(",").map((part) => {
    const url = part.trim();
    if (!/^https?:\/\/[^\s/]/.test(url) || !URL.canParse(url)) {
      throw invalid(url, "http://HOST:PORT or https://HOST, the server's web port");
    }
    return url.replace(/\/+$/, "");
  });
}

function invalid(address: string, expected: string): TaflhallError {
  const message = `${JSON.stringify(address)} is not an address: write ${expected}`;
  return new TaflhallError("INVALID_ADDRESS", message);
}

/** Throw a {@link TaflhallError} if no account can have that API key. */
export function checkKey(key: string): void {
  if (key.startsWith(KEY_PREFIX)) return;
  const message = `that is not an API key: one reads ${KEY_PREFIX}..., and is not the secret of a seat`;
  throw new TaflhallError("API_KEY_INVALID", message);
}
