import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";
import { defineConfig } from "vite";

import { compactDescriptors } from "./compact_descriptors.ts";

const SDK = fileURLToPath(new URL("../typescript/src", import.meta.url));
/** The web port of the server that `npm run dev` calls. */
const SERVER = process.env["TAFLHALL_WEB"] ?? "http://127.0.0.1:8080";

/** Finds the sources of the SDK under the names of its package; tsconfig.json says the same. */
const sdk: Plugin = {
  name: "taflhall-sdk",
  enforce: "pre",
  resolveId(name) {
    if (name === "taflhall") return `${SDK}/index.ts`;
    const [, contract] = /^taflhall\/gen\/(.+)$/.exec(name) ?? [];
    return contract === undefined ? undefined : `${SDK}/gen/taflhall/${contract}_pb.ts`;
  },
};

export default defineConfig({
  base: "./",
  plugins: [sdk, compactDescriptors],
  resolve: {
    // The SDK's sources use the packages of this folder.
    dedupe: ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "build/page", // ready.sh puts it where the server looks
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: URL
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file compresses better than the several that all screens would share.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "base", test: /node_modules|clients\/typescript/ }] } },
    },
  },
  server: { proxy: { "/taflhall.": { target: SERVER, ws: true, changeOrigin: true } } },
});
