/**
 * Writes `src/generated/api.ts`: the types of everything that Viva's server takes and answers, from its OpenAPI
 * document. `npm run build` and `npm run check` do it first; `make openapi` writes the document anew.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const SOURCE = new URL("openapi.json", import.meta.url);
const TARGET = new URL("src/generated/api.ts", import.meta.url);

/**
 * A schema as the generator reads it best. Pydantic gives every field a title, which would become a type of its own;
 * and a reference with words about it would become a copy of what it refers to.
 */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, title, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plain(value)]));
  // A field may itself be called "title": then it is no string.
  if (typeof title === "object") kept.title = plain(title);
  if ($ref === undefined) return kept;
  return { ...kept, allOf: [{ $ref: $ref.replace("#/components/schemas/", "#/$defs/") }] };
}

const { components } = JSON.parse(await readFile(SOURCE, "utf8"));
const names = Object.keys(components.schemas);
const schemas = {
  $defs: plain(components.schemas),
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
  required: names,
};
const types = await compile(schemas, "Schemas", {
  additionalProperties: false,
  bannerComment: "/** Made from openapi.json by generate-types.mjs; changes here are lost. */",
  ignoreMinAndMaxItems: true,
});
await mkdir(new URL(".", TARGET), { recursive: true });
await writeFile(TARGET, types);
