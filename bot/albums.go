package bot

import (
	"hodor/db"
	"hodor/internal/desk"
)

// An album comes as messages of its own, one by one. The gates decide once, for the first; what they decided holds for all.

// oweRelay owes the relay of a message or, if that is the first item of an album, of the whole album.
func oweRelay(tx *db.Tx, in desk.ChatID, c desk.Copied, to func(desk.Copied) desk.Call) error {
	if c.Album == "" {
		return tx.Owe(to(c))
	}
	first := albumItem(c)
	c.Items, c.Raw = true, nil
	return tx.StartAlbum(in, c.Album, to(c), first)
}

func toTopic(c desk.Copied) desk.Call { return desk.RelayToTopic{Copied: c} }
func toUser(c desk.Copied) desk.Call  { return desk.RelayToUser{Copied: c} }

func albumItem(c desk.Copied) db.AlbumItem {
	return db.AlbumItem{Source: c.Source, Content: c.Content, Raw: c.Raw}
}

// joinAlbum does with an item of an album what was decided for the first; false if this is the first, or no item at all. One that
// comes too late follows as a reply to the album.
func joinAlbum(tx *db.Tx, in desk.ChatID, s said, to func(desk.Copied) desk.Call) (bool, error) {
	if s.album == "" {
		return false, nil
	}
	album, found, err := tx.Album(in, s.album)
	if err != nil || !found || album.Call == 0 {
		return found, err
	}
	item := s.copied(0)
	joined, err := tx.JoinAlbum(album, albumItem(item))
	if err != nil || joined {
		return joined, err
	}
	row, found, unreadable, err := tx.CallByID(album.Call)
	if err != nil || !found || unreadable != nil {
		return false, err
	}
	relay, _ := desk.CarriedBy(row.Call)
	item.User, item.ReplyTo = relay.User, album.First
	return true, tx.Owe(to(item))
}

// refuseAlbum decides, for an item that is not relayed, that no other item of its album is.
func refuseAlbum(tx *db.Tx, in desk.ChatID, s said) error {
	if s.album == "" {
		return nil
	}
	return tx.RefuseAlbum(in, s.album, s.message)
}

// withdrawAlbum takes back an album whose caption turns out to be a command or talk among the team.
func withdrawAlbum(tx *db.Tx, in desk.ChatID, s said) error {
	if s.album == "" {
		return nil
	}
	album, _, err := tx.Album(in, s.album)
	if err != nil {
		return err
	}
	if album.Call != 0 {
		if _, err := tx.Cancel(album.Call, "a command"); err != nil {
			return err
		}
	}
	return refuseAlbum(tx, in, s)
}
