import { defineConfig, mergeConfig } from "vitest/config";

import page from "./vite.config";

export default mergeConfig(
  page,
  defineConfig({
    test: {
      include: ["tests/**/*.test.{ts,tsx}"],
      globalSetup: "tests/kit/setup.ts",
      reporters: ["default", "./tests/kit/last_line.ts"],
      fileParallelism: false, // the machine may have two cores, and a browser needs them
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  }),
);
