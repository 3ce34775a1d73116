-- What one side does with a message that stands on both: replies, edits, reactions, deletions, and albums, whose items come one by one.

-- +goose Up

-- shown tells what the message shows, as a fingerprint and never as text, so that an edit that changes nothing to be seen is no call.
ALTER TABLE messages ADD COLUMN shown     TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN edited_at TEXT;                      -- when its copy was last edited
ALTER TABLE messages ADD COLUMN album     TEXT NOT NULL DEFAULT '';  -- the media_group_id it came with
CREATE INDEX messages_by_album ON messages (user_id, album) WHERE album <> '';

-- The message that a call carries, where it was written: whoever edits or deletes one that is not sent yet finds its call by it.
ALTER TABLE outbox ADD COLUMN source_msg_id INTEGER;
ALTER TABLE outbox ADD COLUMN is_withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (is_withdrawn IN (0, 1)); -- not to be tried again
CREATE INDEX outbox_source ON outbox (bot_id, source_msg_id) WHERE source_msg_id IS NOT NULL AND state IN ('owed', 'sending');

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
	result_msg_id INTEGER,                                                         -- what it became on the other side
	is_given_up   INTEGER NOT NULL DEFAULT 0 CHECK (is_given_up IN (0, 1)), -- it alone could not be carried
	PRIMARY KEY (call_id, source_msg_id)
) WITHOUT ROWID;
CREATE INDEX album_items_source ON album_items (source_msg_id) WHERE content IS NOT NULL;
