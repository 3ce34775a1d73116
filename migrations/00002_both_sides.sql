-- What one side does with a message that stands on both: replies, edits, reactions, deletions, and albums, whose items come one by one.

-- +goose Up

-- shown tells what the message shows, as a fingerprint and never as text, so that an edit that changes nothing to be seen is no call.
ALTER TABLE messages ADD COLUMN shown      TEXT    NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN edited_at  TEXT;                                                     -- when its copy was last edited
ALTER TABLE messages ADD COLUMN is_marked  INTEGER NOT NULL DEFAULT 0 CHECK (is_marked IN (0, 1));   -- its copy says that it is a newer form
ALTER TABLE messages ADD COLUMN removed_at TEXT;                                                     -- when it was taken back from both sides
ALTER TABLE messages ADD COLUMN album      TEXT    NOT NULL DEFAULT '';                              -- the media_group_id it came with
CREATE INDEX messages_by_album ON messages (user_id, album) WHERE album <> '';

-- The message that a call is about, numbered where it was written: whoever edits or takes back one finds its calls by it. The numbers
-- rise, and so the index grows at its end.
ALTER TABLE outbox ADD COLUMN source_msg_id INTEGER;
ALTER TABLE outbox ADD COLUMN items         INTEGER NOT NULL DEFAULT 1 CHECK (items > 0);               -- how many messages it sends
ALTER TABLE outbox ADD COLUMN withdrawn     TEXT    NOT NULL DEFAULT '';                                 -- why it is not to be tried again
UPDATE outbox SET source_msg_id = json_extract(payload, '$.source') WHERE kind IN ('relay_to_topic', 'relay_to_user');
CREATE INDEX outbox_source ON outbox (source_msg_id) WHERE source_msg_id IS NOT NULL;

-- An album, from its first item on: the gates decide once, for that one. call_id is the relay that collects the others; without one
-- none of them is relayed.
CREATE TABLE albums (
	bot_id       INTEGER NOT NULL,
	chat_id      INTEGER NOT NULL, -- where it was written: a private chat or the group
	album        TEXT    NOT NULL,
	call_id      INTEGER,
	first_msg_id INTEGER NOT NULL,
	created_at   TEXT    NOT NULL,
	PRIMARY KEY (bot_id, chat_id, album)
) WITHOUT ROWID;

-- The items of an album on their way. content is the item itself, erased when its call is settled.
CREATE TABLE album_items (
	call_id       INTEGER NOT NULL,
	source_msg_id INTEGER NOT NULL,
	content_type  TEXT    NOT NULL,
	content       TEXT,
	result_msg_id INTEGER,                                                  -- what it became on the other side
	loose_msg_id  INTEGER,                                                  -- a copy that Telegram named without saying of which item it is …
	loose_at      TEXT,                                                     -- … and when
	is_given_up   INTEGER NOT NULL DEFAULT 0 CHECK (is_given_up IN (0, 1)), -- it alone could not be carried
	PRIMARY KEY (call_id, source_msg_id)
) WITHOUT ROWID;
CREATE INDEX album_items_source ON album_items (source_msg_id);
