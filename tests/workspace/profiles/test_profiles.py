"""Profiles: values of files and environment, and the errors and warnings of invalid ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from svc_tui.client.profile import Profile
from svc_tui.console.terminal import theme
from svc_tui.workspace.core.folders import Folders, folders
from svc_tui.workspace.profiles import configuration_file
from svc_tui.workspace.profiles.configuration import THEMES
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

WORK = Profile("work", "https://svc.example", app_id="app", app_secret="s3cret", login="jane@example.com")


@pytest.fixture
def profiles(places: Folders) -> Profiles:
    return Profiles(places, {})


def write(places: Folders, text: str, name: str = "config.toml") -> Path:
    places.config.mkdir(parents=True, exist_ok=True)
    path = places.config / name
    path.write_text(text)
    return path


def test_without_any_file_there_is_no_profile(profiles: Profiles) -> None:
    assert (profiles.names(), profiles.default_name, profiles.load()) == ([], "", None)


def test_a_saved_profile_is_loaded_with_its_secrets(profiles: Profiles, places: Folders) -> None:
    profiles.save(replace(WORK, keymap={"edit": "f2"}, read_only=True, brand="acme", password="never"))
    loaded = Profiles(places, {}).load("work")
    assert loaded == replace(WORK, keymap={"edit": "f2"}, read_only=True, brand="acme")
    assert loaded is not None and loaded.app_secret == "s3cret"
    config, secrets = (places.config / name for name in ("config.toml", "secrets.toml"))
    assert "s3cret" not in config.read_text() and "never" not in config.read_text() + secrets.read_text()
    assert secrets.stat().st_mode & 0o777 == 0o600
    assert places.config.stat().st_mode & 0o777 == 0o700


def test_saving_keeps_comments_order_and_unknown_keys(profiles: Profiles, places: Folders) -> None:
    text = (
        '# my services\ntheme = "dark" # at night\n\n[profiles.other] # the old one\nbase_url = "https://old.example"\n'
        '\n[profiles.work]\n# the new one\nbase_url = "https://svc.example"\nlogin = "me"  # mine\n'
    )
    path = write(places, text)
    profiles.save(replace(profiles.configuration.profiles["work"], login="you"))
    assert path.read_text() == text.replace('login = "me"', 'login = "you"')


def test_a_linked_file_stays_a_link(profiles: Profiles, places: Folders, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.toml"
    elsewhere.write_text("# kept\n")
    places.config.mkdir()
    (places.config / "config.toml").symlink_to(elsewhere)
    profiles.save(WORK)
    assert (places.config / "config.toml").is_symlink()
    assert elsewhere.read_text().startswith("# kept\n") and "svc.example" in elsewhere.read_text()


def test_a_removed_profile_is_gone_with_its_secrets(profiles: Profiles, places: Folders) -> None:
    profiles.save(WORK)
    profiles.save(replace(WORK, name="other"))
    profiles.remove("work")
    assert profiles.names() == ["other"]
    assert "profiles.work" not in (places.config / "secrets.toml").read_text()
    with pytest.raises(ConfigurationError, match="Unknown profile 'work'"):
        profiles.remove("work")


BROKEN = {
    '[profiles.work]\nbase_url = "https://svc.example\n': "line 2",
    "[profiles.work\n": "line 1",
    "profiles = 3\n": "line 1: profiles must be a table",
    "[profiles]\nwork = 3\n": "line 2: work must be a table",
    '[profiles.work]\nbase_url = "https://x"\n\nverify = "no"\n': "line 4: verify must be true or false",
    '[profiles.work]\nbase_url = "https://x"\nlogin = 3\n': "line 3: login must be a text in quotes",
    '[profiles.work]\nlogin = "me"\n': "profile work: base_url is missing",
    '[profiles.work]\nbase_url = "nowhere"\n': "line 1, profile work: base_url must begin with https:// or http://",
    '[profiles.work]\nbase_url = "https://x"\nmethod = "magic"\n': "method must be",
    '[profiles.work]\nbase_url = "https://x"\nkeymap = { edit = 3 }\n': "line 3: keymap needs keys in quotes",
    "keymap = { edit = 3 }\n": "line 1: keymap needs keys in quotes",
    "cache_megabytes = true\n": "line 1: cache_megabytes must be a whole number",
    "cache_megabytes = 0\n": "line 1: cache_megabytes must be 1 or more",
}


@pytest.mark.parametrize("text", BROKEN)
def test_an_invalid_file_is_an_error_with_its_line_and_is_not_overwritten(
    profiles: Profiles, places: Folders, text: str
) -> None:
    path = write(places, text)
    with pytest.raises(ConfigurationError) as error:
        profiles.load("work")
    assert BROKEN[text] in error.value.sentence and str(path) in error.value.sentence
    assert "\n" not in error.value.sentence
    with pytest.raises(ConfigurationError):
        profiles.save(WORK)
    assert path.read_text() == text


def test_a_file_that_is_not_text_is_an_error_with_its_line(profiles: Profiles, places: Folders) -> None:
    write(places, "").write_bytes(b'theme = "a"\nlogin = "\xff"\n')
    with pytest.raises(ConfigurationError, match="line 2: not UTF-8 text"):
        profiles.load()


def test_invalid_secrets_are_an_error_that_does_not_show_them(profiles: Profiles, places: Folders) -> None:
    write(places, '[profiles.work]\nbase_url = "https://x"\n')
    write(places, '[profiles.work]\napp_secret = "s3cret\n', "secrets.toml")
    with pytest.raises(ConfigurationError) as error:
        profiles.load("work")
    assert "secrets.toml, line 2" in error.value.sentence and "s3cret" not in error.value.sentence


def test_an_unknown_key_is_a_warning_with_its_line(profiles: Profiles, places: Folders) -> None:
    write(places, 'themes = "x"\n[profiles.work]\nbase_url = "https://x"\nbase_ulr = "y"\n')
    assert profiles.load("work") is not None
    expected = [warning.partition("config.toml, ")[2] for warning in profiles.configuration.warnings]
    assert expected == [
        "line 1: unknown key themes is ignored.",
        "line 4: unknown key base_ulr is ignored.",
    ]


def test_an_unknown_theme_is_a_warning_with_its_line(profiles: Profiles, places: Folders) -> None:
    write(places, 'theme = "dark"\n[profiles.work]\nbase_url = "https://x"\ntheme = "neon"\n')
    assert profiles.load("work") is not None
    (warning,) = profiles.configuration.warnings
    assert warning.endswith(
        "config.toml, line 4: Unknown theme “neon” is ignored. Themes: terminal, dark, light, high-contrast."
    )
    assert tuple(theme.THEMES) == THEMES


def test_unchanged_files_are_read_once_and_a_change_is_seen(places: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    monkeypatch.setattr(configuration_file, "read_text", lambda path: (read.append(path), path.read_text())[1])
    config = write(places, '[profiles.work]\nbase_url = "https://x"\n')
    write(places, "", "secrets.toml")
    first = Profiles(places, {}).configuration
    assert Profiles(places, {}).configuration is first
    assert len(read) == 2
    config.write_text('cache_megabytes = 5\n[profiles.work]\nbase_url = "https://x"\n')
    assert Profiles(places, {}).configuration.cache_bytes == 5_000_000


def test_secrets_that_other_users_can_read_are_a_warning(profiles: Profiles, places: Folders) -> None:
    profiles.save(WORK)
    (places.config / "secrets.toml").chmod(0o644)
    assert any("chmod 600" in warning for warning in Profiles(places, {}).configuration.warnings)


def test_a_secret_in_the_wrong_file_works_with_a_warning(profiles: Profiles, places: Folders) -> None:
    write(places, '[profiles.work]\nbase_url = "https://x"\napp_secret = "s3cret"\n')
    loaded = profiles.load("work")
    assert loaded is not None and loaded.app_secret == "s3cret"
    (expected,) = profiles.configuration.warnings
    assert "line 3: move app_secret to" in expected and "s3cret" not in expected


def test_the_environment_overrides_the_files(profiles: Profiles, places: Folders) -> None:
    profiles.save(WORK)
    given = {"SVC_TUI_LOGIN": "bot@example.com", "SVC_TUI_PASSWORD": "pw", "SVC_TUI_APP_SECRET": "other"}
    loaded = Profiles(places, given).load()
    assert loaded is not None
    assert (loaded.name, loaded.login, loaded.password, loaded.app_secret) == ("work", "bot@example.com", "pw", "other")


def test_the_environment_alone_makes_a_profile(places: Folders) -> None:
    loaded = Profiles(places, {"SVC_TUI_BASE_URL": "https://env.example/", "SVC_TUI_API_KEY": "key"}).load()
    assert loaded is not None
    assert (loaded.name, loaded.base_url, loaded.method, loaded.api_key) == (
        "environment", "https://env.example", "api_key", "key",
    )  # fmt: skip


def test_what_is_set_for_all_profiles_is_set_for_that_of_the_environment(places: Folders) -> None:
    write(places, 'theme = "dark"\n[keymap]\nedit = "f2"\n')
    loaded = Profiles(places, {"SVC_TUI_BASE_URL": "https://env.example/"}).load()
    assert loaded is not None and (loaded.theme, loaded.keymap) == ("dark", {"edit": "f2"})


def test_another_address_in_the_environment_is_another_profile(profiles: Profiles, places: Folders) -> None:
    """Neither session nor cache of the one service is used with the other."""
    profiles.save(WORK)
    loaded = Profiles(places, {"SVC_TUI_BASE_URL": "http://127.0.0.1:8080"}).load()
    assert loaded is not None and loaded.name == "work@127.0.0.1:8080"
    same = Profiles(places, {"SVC_TUI_BASE_URL": "https://svc.example/"}).load()
    assert same is not None and same.name == "work"


def test_the_default_profile(profiles: Profiles, places: Folders) -> None:
    profiles.save(WORK)
    assert profiles.default_name == "work", "the only one"
    profiles.save(replace(WORK, name="other"))
    assert profiles.default_name == ""
    path = places.config / "config.toml"
    path.write_text('profile = "other"\n' + path.read_text())
    assert Profiles(places, {}).default_name == "other", "the one that the file names"
    profiles.use("work")
    assert Profiles(places, {}).default_name == "work", "the last used one"
    assert Profiles(places, {"SVC_TUI_PROFILE": "other"}).default_name == "other"
    with pytest.raises(ConfigurationError, match="Unknown profile 'nope'"):
        Profiles(places, {"SVC_TUI_PROFILE": "nope"}).load()
    with pytest.raises(ConfigurationError):
        profiles.use("nope")


def test_general_theme_and_keys_apply_to_all_profiles(profiles: Profiles, places: Folders) -> None:
    general = 'theme = "dark"\n[keymap]\nedit = "f2"\n'
    write(places, general + '[profiles.work]\nbase_url = "https://x"\n[profiles.work.keymap]\nnew = "f3"\n')
    loaded = profiles.load("work")
    assert loaded is not None
    assert (loaded.theme, loaded.keymap) == ("dark", {"edit": "f2", "new": "f3"})


@pytest.mark.parametrize("name", ["", "../work", "a b", ".hidden", "x" * 65, "a/b"])
def test_names_with_path_parts_are_refused(profiles: Profiles, name: str) -> None:
    with pytest.raises(ConfigurationError, match="Invalid profile name"):
        profiles.save(replace(WORK, name=name))


def test_an_unwritable_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    profiles = Profiles(Folders(tmp_path / "file" / "config", tmp_path / "c", tmp_path / "d"), {})
    with pytest.raises(ConfigurationError, match=r"Cannot (write|read)"):
        profiles.save(WORK)


def test_folders_come_from_the_environment_or_the_platform(tmp_path: Path) -> None:
    named = {f"SVC_TUI_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "CACHE", "DATA")}
    assert folders(named) == Folders(tmp_path / "CONFIG", tmp_path / "CACHE", tmp_path / "DATA")
    assert all("svc-tui" in str(path) for path in (folders({}).config, folders({}).cache, folders({}).data))


def test_a_profile_cannot_leave_its_folder(places: Folders) -> None:
    for name in ("../../etc", "..", "a/b", "", "work@127.0.0.1:8080"):
        assert places.cache_of(name).parent == places.cache
        assert places.cache_of(name).name not in ("", ".", "..")


def test_a_chosen_theme_is_kept_where_the_profile_has_its_own_otherwise_for_all(places: Folders) -> None:
    path = write(
        places, '[profiles.own]\nbase_url = "https://a"\ntheme = "dark"\n[profiles.other]\nbase_url = "https://b"\n'
    )
    profiles = Profiles(places, {})
    profiles.keep_theme("own", "light")
    profiles.keep_theme("other", "high-contrast")
    kept = Profiles(places, {}).configuration
    assert [kept.profiles[name].theme for name in ("own", "other")] == ["light", "high-contrast"]
    assert kept.general["theme"] == "high-contrast"
    profiles.keep_theme("own", "")
    assert "theme" not in path.read_text()
    profiles.keep_theme("demo", "terminal")
    assert Profiles(places, {}).configuration.general["theme"] == "terminal"
