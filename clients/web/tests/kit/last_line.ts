// Prints `N passed, N failed` as the last line of a run.
import type { Reporter, TestModule } from "vitest/node";

export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const passed = states.filter((state) => state === "passed").length;
    const failed = states.filter((state) => state === "failed").length + broken;
    process.once("exit", () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}
