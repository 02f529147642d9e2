import { expect, test } from 'vitest';
import { railsSchemaToSql } from '../../../server/engine/project/rails.ts';

const schema = `
ActiveRecord::Schema[7.1].define(version: 2024_01_01_000000) do
  enable_extension "plpgsql"
  create_enum "status", ["open", "done"]

  create_table "users", id: :uuid, default: -> { "gen_random_uuid()" }, force: :cascade do |t|
    t.string "email", limit: 200, default: "", null: false
    t.decimal "rate", precision: 10, scale: 2
    t.string "tags", default: [], array: true
    t.enum "status", enum_type: "status"
    t.references "account", type: :uuid, null: false
    t.datetime "created_at", null: false
    t.index ["email"], name: "by_email", unique: true
  end

  create_table "memberships", primary_key: ["user_id", "list_id"], force: :cascade do |t|
    t.uuid "user_id", null: false
    t.integer "list_id", limit: 8
  end

  create_table "things", force: :cascade do |t|
    t.jsonb "data"
  end

  add_foreign_key "memberships", "users"
  add_foreign_key "things", "app.people", column: "owner", primary_key: "uuid", on_delete: :cascade
  add_foreign_key "things", "memberships", column: ["a", "b"], primary_key: ["user_id", "list_id"]
end
`;

test('A Rails schema is converted to tables, columns and enums', () => {
  expect(railsSchemaToSql(schema)).toMatchInlineSnapshot(`
    "CREATE TYPE "status" AS ENUM ('open', 'done');
    CREATE TABLE "users" (
      "id" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      "email" varchar(200) DEFAULT '' NOT NULL,
      "rate" numeric(10,2),
      "tags" varchar[],
      "status" status,
      "account_id" uuid NOT NULL,
      "created_at" timestamp NOT NULL
    );
    CREATE TABLE "memberships" (
      "user_id" uuid NOT NULL,
      "list_id" bigint,
      PRIMARY KEY ("user_id", "list_id")
    );
    CREATE TABLE "things" (
      "id" bigserial PRIMARY KEY,
      "data" jsonb
    );
    ALTER TABLE "memberships" ADD FOREIGN KEY ("user_id") REFERENCES "users" ("id");
    ALTER TABLE "things" ADD FOREIGN KEY ("owner") REFERENCES "app"."people" ("uuid") ON DELETE CASCADE;"
  `);
});

test.each(['', 'create_table "a" do |t|\nend', 'ActiveRecord::Schema.define do\nend'])(
  'Nothing is converted from %j',
  (text) => {
    expect(railsSchemaToSql(text)).toBeUndefined();
  },
);
