-- Written by go test ./db -run TestSchemaIsTheGoldenOne -update

CREATE TABLE bots (
	bot_id       INTEGER NOT NULL PRIMARY KEY,
	username     TEXT    NOT NULL,
	display_name TEXT    NOT NULL,
	created_at   TEXT    NOT NULL
);

CREATE TABLE users (
	id                         INTEGER PRIMARY KEY AUTOINCREMENT,
	bot_id                     INTEGER NOT NULL,
	user_id                    INTEGER NOT NULL,
	first_name                 TEXT    NOT NULL DEFAULT '',
	last_name                  TEXT    NOT NULL DEFAULT '',
	username                   TEXT    NOT NULL DEFAULT '',
	language_code              TEXT    NOT NULL DEFAULT '',
	status                     TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
	is_banned                  INTEGER NOT NULL DEFAULT 0 CHECK (is_banned IN (0, 1)),
	is_risk                    INTEGER NOT NULL DEFAULT 0 CHECK (is_risk IN (0, 1)),
	is_verified                INTEGER NOT NULL DEFAULT 0 CHECK (is_verified IN (0, 1)),
	verified_at                TEXT,
	verify_answer              INTEGER,
	verify_msg_id              INTEGER,
	verify_request_hash        TEXT,
	verify_request_expires_at  TEXT,
	verify_request_generation  INTEGER,
	verify_submit_not_before   TEXT,
	rate_window_start          TEXT,
	rate_count                 INTEGER NOT NULL DEFAULT 0 CHECK (rate_count >= 0),
	last_notice_at             TEXT,
	refusal_notice_at          TEXT,
	risk_notice_at             TEXT,
	-- why a message to this person was last refused; empty again when they write or come back
	unreachable                TEXT    NOT NULL DEFAULT '' CHECK (unreachable IN ('', 'blocked', 'deactivated', 'not_started')),
	first_seen_at              TEXT    NOT NULL,
	last_seen_at               TEXT    NOT NULL,
	UNIQUE (bot_id, user_id)
);

CREATE TABLE topics (
	bot_id           INTEGER NOT NULL,
	user_id          INTEGER NOT NULL,
	chat_id          INTEGER NOT NULL,
	thread_id        INTEGER CHECK (thread_id > 1),
	title            TEXT    NOT NULL,
	title_by_admin   INTEGER NOT NULL DEFAULT 0 CHECK (title_by_admin IN (0, 1)),
	status           TEXT    NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
	pinned_msg_id    INTEGER,
	note             TEXT    NOT NULL DEFAULT '',
	edited_at        TEXT, -- when the title or the card was last edited
	created_at       TEXT    NOT NULL,
	closed_at        TEXT,
	PRIMARY KEY (bot_id, user_id),
	UNIQUE (bot_id, chat_id, thread_id)
) WITHOUT ROWID;

CREATE TABLE messages (
	id             INTEGER PRIMARY KEY AUTOINCREMENT,
	bot_id         INTEGER NOT NULL,
	user_id        INTEGER NOT NULL,
	chat_id        INTEGER NOT NULL,
	thread_id      INTEGER NOT NULL,
	direction      TEXT    NOT NULL CHECK (direction IN ('in', 'out')),
	group_msg_id   INTEGER NOT NULL,
	private_msg_id INTEGER NOT NULL,
	content_type   TEXT    NOT NULL,
	created_at     TEXT    NOT NULL
, shown      TEXT    NOT NULL DEFAULT '', edited_at  TEXT, is_marked  INTEGER NOT NULL DEFAULT 0 CHECK (is_marked IN (0, 1)), removed_at TEXT, album      TEXT    NOT NULL DEFAULT '');

CREATE INDEX messages_by_album ON messages (user_id, album) WHERE album <> '';

CREATE INDEX messages_by_group   ON messages (chat_id, group_msg_id);

CREATE INDEX messages_by_private ON messages (user_id, private_msg_id);

CREATE INDEX messages_by_thread  ON messages (thread_id, created_at);

CREATE INDEX messages_by_user    ON messages (user_id, created_at);

CREATE TABLE settings (
	key   TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE processed_updates (
	bot_id     INTEGER NOT NULL,
	update_id  INTEGER NOT NULL,
	status     TEXT    NOT NULL CHECK (status IN ('processing', 'processed', 'failed')),
	attempts   INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
	raw        TEXT,
	created_at TEXT    NOT NULL,
	PRIMARY KEY (bot_id, update_id)
) WITHOUT ROWID;

CREATE INDEX processed_updates_unfinished ON processed_updates (bot_id, created_at) WHERE status = 'processing';

CREATE TABLE delete_confirmations (
	bot_id              INTEGER NOT NULL,
	prompt_msg_id       INTEGER NOT NULL,
	chat_id             INTEGER NOT NULL,
	user_id             INTEGER NOT NULL,
	thread_id           INTEGER NOT NULL,
	action              TEXT    NOT NULL CHECK (action IN ('deluser', 'purgemsg', 'wipealldata')),
	started_at          INTEGER NOT NULL,
	status              TEXT    NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'cancelled', 'confirmed')),
	confirm_callback_id TEXT,
	PRIMARY KEY (bot_id, chat_id, prompt_msg_id)
) WITHOUT ROWID;

CREATE TABLE broadcasts (
	id                INTEGER PRIMARY KEY AUTOINCREMENT,
	bot_id            INTEGER NOT NULL,
	source_update_id  INTEGER NOT NULL,
	initiator_user_id INTEGER NOT NULL,
	support_chat_id   INTEGER NOT NULL,
	preview_msg_id    INTEGER,
	control_msg_id    INTEGER,
	message_html      TEXT    NOT NULL,
	status            TEXT    NOT NULL CHECK (status IN ('preparing', 'pending', 'sending', 'completed', 'cancelled', 'expired', 'failed')),
	expected_count    INTEGER NOT NULL DEFAULT 0 CHECK (expected_count >= 0),
	success_count     INTEGER NOT NULL DEFAULT 0 CHECK (success_count >= 0),
	failure_count     INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
	expires_at        TEXT    NOT NULL,
	confirmed_at      TEXT,
	created_at        TEXT    NOT NULL,
	updated_at        TEXT    NOT NULL,
	UNIQUE (bot_id, source_update_id)
);

CREATE UNIQUE INDEX broadcasts_one_draft   ON broadcasts (bot_id) WHERE status IN ('preparing', 'pending');

CREATE UNIQUE INDEX broadcasts_one_sending ON broadcasts (bot_id) WHERE status = 'sending';

CREATE TABLE outbox (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	bot_id        INTEGER NOT NULL,
	chat_id       INTEGER NOT NULL, -- the support group at the time: ids in the payload are of this group
	lane          TEXT    NOT NULL,
	priority      INTEGER NOT NULL,
	kind          TEXT    NOT NULL,
	payload       TEXT    NOT NULL,
	content       TEXT,             -- the message itself, erased when the call is settled
	state         TEXT    NOT NULL CHECK (state IN ('owed', 'sending', 'sent', 'refused', 'dropped')),
	step          TEXT    NOT NULL DEFAULT '', -- which of its steps is at Telegram, or was when it came back in doubt
	stage         TEXT    NOT NULL DEFAULT '', -- how far down the fallbacks it is
	attempts      INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0), -- tries that count
	delays        INTEGER NOT NULL DEFAULT 0 CHECK (delays >= 0),   -- tries of any sort since the last success: the back-off
	doubts        INTEGER NOT NULL DEFAULT 0 CHECK (doubts >= 0),   -- tries that may have arrived
	due_at        TEXT    NOT NULL,
	reason        TEXT    NOT NULL DEFAULT '',
	result_msg_id INTEGER,
	sent_chat_id  INTEGER,          -- the support group when it was taken: the result, in the group, is of this one
	notice_msg_id INTEGER,          -- the notice of its failure, edited when a further try ends …
	notice_lane   TEXT    NOT NULL DEFAULT '', -- … and where it stands
	created_at    TEXT    NOT NULL,
	settled_at    TEXT
, source_msg_id INTEGER, items         INTEGER NOT NULL DEFAULT 1 CHECK (items > 0), withdrawn     TEXT    NOT NULL DEFAULT '');

CREATE INDEX outbox_open    ON outbox (bot_id, id)          WHERE state IN ('owed', 'sending');

CREATE INDEX outbox_settled ON outbox (bot_id, settled_at) WHERE settled_at IS NOT NULL;

CREATE INDEX outbox_source ON outbox (source_msg_id) WHERE source_msg_id IS NOT NULL;

CREATE INDEX outbox_upkeep  ON outbox (bot_id, lane, kind)  WHERE state = 'owed' AND priority = 2;

CREATE TABLE topic_creations (
	bot_id         INTEGER NOT NULL,
	user_id        INTEGER NOT NULL,
	chat_id        INTEGER NOT NULL,
	title          TEXT    NOT NULL,
	called_at      TEXT    NOT NULL,
	doubtful_since TEXT,
	PRIMARY KEY (bot_id, user_id)
) WITHOUT ROWID;

CREATE TABLE topic_sightings (
	bot_id     INTEGER NOT NULL,
	chat_id    INTEGER NOT NULL,
	thread_id  INTEGER NOT NULL,
	title      TEXT    NOT NULL,
	is_used    INTEGER NOT NULL DEFAULT 0 CHECK (is_used IN (0, 1)), -- somebody wrote in it
	created_at TEXT    NOT NULL,                                      -- Telegram's time, whole seconds
	PRIMARY KEY (bot_id, chat_id, thread_id)
) WITHOUT ROWID;

CREATE TABLE rests (
	bot_id   INTEGER NOT NULL,
	chat_id  INTEGER NOT NULL,
	family   TEXT    NOT NULL,
	began_at TEXT    NOT NULL,
	until    TEXT    NOT NULL,
	PRIMARY KEY (bot_id, chat_id, family)
) WITHOUT ROWID;

CREATE TABLE forum_proofs (
	bot_id    INTEGER NOT NULL,
	chat_id   INTEGER NOT NULL,
	proved_at TEXT    NOT NULL,
	PRIMARY KEY (bot_id, chat_id)
) WITHOUT ROWID;

CREATE TABLE notice_slots (
	bot_id   INTEGER NOT NULL,
	slot     TEXT    NOT NULL,
	taken_at TEXT    NOT NULL,
	PRIMARY KEY (bot_id, slot)
) WITHOUT ROWID;

CREATE TABLE group_admins (
	bot_id  INTEGER NOT NULL,
	chat_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	PRIMARY KEY (bot_id, chat_id, user_id)
) WITHOUT ROWID;

CREATE TABLE group_moves (
	bot_id       INTEGER NOT NULL,
	from_chat_id INTEGER NOT NULL,
	to_chat_id   INTEGER NOT NULL,
	created_at   TEXT    NOT NULL,
	PRIMARY KEY (bot_id, from_chat_id)
) WITHOUT ROWID;

CREATE TABLE albums (
	bot_id       INTEGER NOT NULL,
	chat_id      INTEGER NOT NULL, -- where it was written: a private chat or the group
	album        TEXT    NOT NULL,
	call_id      INTEGER,
	first_msg_id INTEGER NOT NULL,
	created_at   TEXT    NOT NULL,
	PRIMARY KEY (bot_id, chat_id, album)
) WITHOUT ROWID;

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
