import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType, base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Plugin } from "vite";

/** The field of ErrorReasonOptions that clients read: whether a call may be repeated. */
const RETRY = 3;

/**
 * Leaves the texts of errors out of the contract's code: the server sends them with each error, in the
 * language of the call. They would be a fortieth of the whole page.
 */
export const slimErrors: Plugin = {
  name: "taflhall-slim-errors",
  transform(code, id) {
    if (!id.endsWith("/error_reason_pb.ts")) return undefined;
    return code.replace(/(?<=fileDesc\(")[^"]+/, (file) => base64Encode(withoutTexts(base64Decode(file)), "std_raw"));
  },
};

function withoutTexts(bytes: Uint8Array): Uint8Array {
  const file = fromBinary(FileDescriptorProtoSchema, bytes);
  for (const { options } of file.enumType.flatMap(({ value }) => value)) {
    for (const extension of options?.$unknown ?? []) {
      const retry = retryOf(new BinaryReader(extension.data).bytes());
      const kept = new BinaryWriter().tag(RETRY, WireType.Varint).int32(retry).finish();
      Object.assign(extension, { data: new BinaryWriter().bytes(kept).finish() });
    }
  }
  return toBinary(FileDescriptorProtoSchema, file);
}

function retryOf(options: Uint8Array): number {
  const reader = new BinaryReader(options);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === RETRY) return reader.int32();
    reader.skip(wireType, field);
  }
  return 0;
}
