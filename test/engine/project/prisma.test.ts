import { expect, test } from 'vitest';
import { readSqlFiles } from '../../../server/engine/index.ts';
import { prismaToSql } from '../../../server/engine/project/prisma.ts';

const schema = `
generator client {
  provider = "prisma-client-js"
}

datasource db {
  provider = "postgresql"
}

/// A person
model User {
  id        String   @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  email     String   @unique @db.VarChar(200) // where to write
  name      String?
  role      Role     @default(USER)
  tags      String[]
  at        Place?   @relation(fields: [placeId], references: [id])
  placeId   Int?     @map("place_id")
  createdAt DateTime @default(now()) @map("created_at") @db.Timestamptz(6)
  posts     Post[]

  @@index([email])
  @@map("users")
}

model Post {
  a BigInt @default(autoincrement())
  b Int
  position Unsupported("geometry(Point, 4326)")?

  @@id([a, b])
  @@schema("blog")
}

enum Role {
  USER
  ADMIN @map("admin")

  @@map("roles")
}
`;

test('A Prisma schema is converted to tables, columns and enums', () => {
  expect(prismaToSql(schema)).toMatchInlineSnapshot(`
    "CREATE SCHEMA IF NOT EXISTS "blog";
    CREATE TYPE "roles" AS ENUM ('USER', 'admin');
    CREATE TABLE "users" (
      "id" uuid NOT NULL DEFAULT gen_random_uuid(),
      "email" varchar(200) NOT NULL,
      "name" text,
      "role" "roles" NOT NULL DEFAULT 'USER',
      "tags" text[],
      "place_id" integer,
      "created_at" timestamptz(6) NOT NULL DEFAULT now(),
      PRIMARY KEY ("id")
    );
    CREATE TABLE "blog"."Post" (
      "a" bigserial NOT NULL,
      "b" integer NOT NULL,
      "position" geometry(Point, 4326),
      PRIMARY KEY ("a", "b")
    );"
  `);
});

test('The result of the conversion is readable as SQL', () => {
  const tables = readSqlFiles([{ path: 'schema.sql', text: prismaToSql(schema) ?? '' }])?.catalog.tables;
  expect(tables?.map(({ schema: where, name, columns }) => [where, name, [...columns.keys()]])).toEqual([
    ['public', 'users', ['id', 'email', 'name', 'role', 'tags', 'place_id', 'created_at']],
    ['blog', 'Post', ['a', 'b', 'position']],
  ]);
});

test('A relation of several columns is a foreign key if it refers to the primary key', () => {
  const related = (references: string, target: string) =>
    prismaToSql(`
datasource db {
  provider = "postgresql"
}
model Member {
  id Int @id
  orgId Int @map("org_id")
  userId Int
  seat Seat @relation("seats", fields: [orgId, userId], references: [${references}])
}
model Seat {
  org Int @map("organisation")
  user Int
  ${target}
}
`);
  const key =
    'ALTER TABLE "Member" ADD FOREIGN KEY ("org_id", "userId") REFERENCES "Seat" ("organisation", "user") ON DELETE RESTRICT;';
  expect(related('org, user', '@@id([org, user])')).toContain(key);
  // The unique columns are not created, so the statement would fail.
  expect(related('org, user', '@@unique([org, user])')).not.toContain('FOREIGN KEY');
  expect(related('org, nothing', '@@id([org, user])')).not.toContain('FOREIGN KEY');
});

test.each([
  '',
  'model User {',
  'datasource db { provider = "postgresql" }',
  'datasource db {\nprovider = "sqlite"\n}\nmodel A {\n id Int @id\n}',
])('Nothing is converted from %j', (text) => {
  expect(prismaToSql(text)).toBeUndefined();
});
