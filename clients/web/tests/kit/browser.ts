// Chromium without a window, and people who look at the page in it.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const SCREENSHOTS = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What a person's browser is like. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly language?: "en" | "de";
  readonly scheme?: "light" | "dark";
  readonly touch?: boolean;
}

export const PHONE: Look = { width: 390, height: 844, touch: true };
export const WIDE: Look = { width: 1600, height: 1000 };

/** A person: a browser profile of its own, and one tab or several. */
export class Person {
  /** What has gone wrong in the tabs: exceptions, and what the content security policy forbade. */
  readonly faults: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly scheme: "light" | "dark",
  ) {
    this.listen(page);
  }

  /** Open a second tab. */
  async secondTab(): Promise<Page> {
    const page = await this.context.newPage();
    this.listen(page);
    return page;
  }

  /** Keep a picture of the tab among the output of the tests. */
  async picture(name: string, whole = false): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: whole });
  }

  /** Expect that axe finds nothing serious, as the page is shown now and in the dark on a phone. */
  async expectAccessible(): Promise<void> {
    const { page } = this;
    const shown = page.viewportSize();
    await page.evaluate(readFileSync(AXE, "utf-8"));
    const found = await this.barriers();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: PHONE.width ?? 0, height: PHONE.height ?? 0 });
    found.push(...(await this.barriers()).map((barrier) => `in the dark on a phone: ${barrier}`));
    await page.emulateMedia({ colorScheme: this.scheme });
    if (shown) await page.setViewportSize(shown);
    expect(found).toEqual([]);
  }

  /** Return what axe finds that is serious. */
  private async barriers(): Promise<string[]> {
    return this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(document, {
        resultTypes: ["violations"],
        // A drawing has numbers around a name; its label says in words what they mean.
        rules: { "label-content-name-mismatch": { enabled: false } },
      });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    });
  }

  private listen(page: Page): void {
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => {
      const isNetwork = /Failed to load resource|WebSocket connection/.test(message.text());
      if (message.type() === "error" && !isNetwork) this.faults.push(message.text());
    });
  }
}

/** Give a test file a browser; return what lets a person open the page. */
export function useBrowser(): (url: string, look?: Look) => Promise<Person> {
  let browser: Browser;
  const people: Person[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    });
  });
  afterAll(async () => {
    await browser?.close();
    expect(people.flatMap(({ faults }) => faults)).toEqual([]);
  });
  return async (url, look = {}) => {
    const { width = 1280, height = 800, language = "en", scheme = "light", touch = false } = look;
    const context = await browser.newContext({
      viewport: { width, height },
      locale: language,
      colorScheme: scheme,
      hasTouch: touch,
      isMobile: touch,
    });
    context.setDefaultTimeout(60_000);
    const person = new Person(context, await context.newPage(), scheme);
    people.push(person);
    await person.page.goto(url);
    await person.page.locator("main").waitFor();
    return person;
  };
}
