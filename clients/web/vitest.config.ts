import { defineConfig, mergeConfig } from "vitest/config";

import page from "./vite.config.ts";

export default mergeConfig(
  page,
  defineConfig({
    test: {
      include: ["tests/**/*.test.{ts,tsx}"],
      globalSetup: "tests/kit/setup.ts",
      reporters: ["default", "./tests/kit/last_line.ts"],
      maxWorkers: 2, // each has a browser
      testTimeout: 180_000,
      hookTimeout: 300_000, // a server and its accounts, on a busy machine
      expect: { poll: { timeout: 60_000 } }, // ends early; a busy machine may take long
    },
  }),
);
