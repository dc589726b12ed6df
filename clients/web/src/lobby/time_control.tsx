import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TimeControlSchema } from "taflhall/gen/v1/match";
import { TimeoutPolicy } from "taflhall/gen/v1/match";

import { Check, Choice, NumberField } from "../parts/fields";
import { text } from "../texts";

/** The time of the seats, as it is entered. */
export interface TimeFields {
  readonly isLimited: boolean;
  readonly minutes: number;
  readonly increment: number;
  readonly perDecision: number;
  readonly onTimeout: TimeoutPolicy;
}

export const NO_CLOCKS: TimeFields = {
  isLimited: false,
  minutes: 20,
  increment: 10,
  perDecision: 0,
  onTimeout: TimeoutPolicy.STAND_IN,
};

const POLICIES = [TimeoutPolicy.STAND_IN, TimeoutPolicy.NEUTRAL, TimeoutPolicy.FORFEIT] as const;

/** Return the time control of a match; nothing without clocks. */
export function timeControlOf(
  fields: TimeFields,
): MessageInitShape<typeof TimeControlSchema> | undefined {
  if (!fields.isLimited) return undefined;
  return {
    base: { seconds: BigInt(fields.minutes * 60) },
    increment: { seconds: BigInt(fields.increment) },
    perDecision: { seconds: BigInt(fields.perDecision) },
    onTimeout: fields.onTimeout,
  };
}

/** The controls for how much time the seats have. */
export function TimeControlFields(props: {
  value: TimeFields;
  onChange: (value: TimeFields) => void;
}) {
  const { value, onChange } = props;
  const set = (change: Partial<TimeFields>): void => onChange({ ...value, ...change });
  return (
    <>
      <Check
        label={text("time-limited")}
        value={value.isLimited}
        onInput={(isLimited) => set({ isLimited })}
      />
      {value.isLimited && (
        <div class="field-row">
          <NumberField
            label={text("time-minutes")}
            value={value.minutes}
            min={1}
            max={43_200}
            onInput={(minutes) => set({ minutes })}
          />
          <NumberField
            label={text("time-increment")}
            value={value.increment}
            min={0}
            max={86_400}
            onInput={(increment) => set({ increment })}
          />
          <NumberField
            label={text("time-per-decision")}
            value={value.perDecision}
            min={0}
            max={86_400}
            onInput={(perDecision) => set({ perDecision })}
          />
          <Choice
            label={text("time-out")}
            values={POLICIES.map((policy) => ({
              value: policy,
              label: text(`time-out-${TimeoutPolicy[policy].toLowerCase().replace("_", "-")}`),
            }))}
            value={value.onTimeout as (typeof POLICIES)[number]}
            onChange={(onTimeout) => set({ onTimeout })}
          />
        </div>
      )}
    </>
  );
}
