using System.Globalization;
using System.Text;
using KeraLua;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Sync;

// A function in Lua as RedisShake runs it: for each command, with the globals DB, GROUP, CMD, KEYS, KEY_INDEXES, SLOTS
// and ARGV; what it passes to shake.call goes on. One per shard.
internal sealed class ScriptFunction : IDisposable
{
    // Nothing that comes behind them would be what it says.
    private static readonly HashSet<string> OfConnection = new(StringComparer.OrdinalIgnoreCase)
    {
        "AUTH", "CLIENT", "DISCARD", "EXEC", "HELLO", "MONITOR", "MULTI", "PSUBSCRIBE", "QUIT", "RESET", "SELECT",
        "SSUBSCRIBE", "SUBSCRIBE", "UNWATCH", "WATCH",
    };

    private readonly Lua _lua = new();
    private readonly CommandTable _table;
    private readonly Action<string> _log;
    private readonly bool _replaces;
    private readonly CommandFrames _frames = new();
    private readonly RespWriter _request = new();
    // Kept, or they would be collected while Lua still calls them.
    private readonly LuaFunction _call;
    private readonly LuaFunction _note;
    private readonly ScriptLimit _limit;
    private readonly int _chunk;
    private SyncBatch? _batch;
    private SyncEntry _entry;
    private string _ttl = string.Empty;
    private List<SyncEntry>? _given;
    private string? _fault;

    /// <exception cref="ConfigurationException">The text is no Lua.</exception>
    public ScriptFunction(string script, CommandTable table, Action<string> log, bool replaces)
    {
        (_table, _log, _replaces, _call, _note) = (table, log, replaces, Call, Note);
        _lua.Encoding = Encoding.UTF8;
        _limit = new ScriptLimit(_lua);
        if (_lua.DoString(ScriptPrelude.Text))
            throw new InvalidOperationException(_lua.ToString(-1));
        _lua.NewTable();
        _lua.PushCFunction(_call);
        _lua.SetField(-2, "call");
        _lua.PushCFunction(_note);
        _lua.SetField(-2, "log");
        _lua.SetGlobal("shake");
        // Standard output is the run's own.
        _lua.PushCFunction(_note);
        _lua.SetGlobal("print");
        if (_lua.LoadString(script, "function") != LuaStatus.OK)
        {
            var problem = _lua.ToString(-1);
            Dispose();
            throw new ConfigurationException($"--function: {problem}");
        }

        _chunk = _lua.Ref(LuaRegistry.Index);
    }

    /// <summary>What is wrong with a function's text, or null.</summary>
    public static string? Problem(string script)
    {
        try
        {
            new ScriptFunction(script, new CommandTable(), _ => { }, replaces: false).Dispose();
            return null;
        }
        catch (ConfigurationException problem)
        {
            return problem.Message;
        }
    }

    /// <summary>Runs it for an entry.</summary>
    /// <param name="batch">Where the entry is from; what the function makes is kept there.</param>
    /// <param name="entry">The entry.</param>
    /// <param name="keys">Which words of it are keys.</param>
    /// <param name="command">Its command; null for a key to be restored, which it sees as RESTORE.</param>
    /// <param name="given">Gets what it passed to shake.call.</param>
    /// <exception cref="RedisServerException">It failed.</exception>
    public void Run(
        SyncBatch batch, in SyncEntry entry, List<int> keys, CommandSpec? command, List<SyncEntry> given)
    {
        (_batch, _entry, _given, _fault) = (batch, entry, given, null);
        SetGlobals(batch, entry, keys, command);
        _lua.RawGetInteger(LuaRegistry.Index, _chunk);
        _limit.Begin();
        var status = _lua.PCall(0, 0, 0);
        _limit.End();
        if (status != LuaStatus.OK)
        {
            _fault ??= _lua.ToString(-1);
            _lua.Pop(1);
        }

        if (_fault is null)
            return;
        var at = keys.Count > 0 ? $" {KeyText.Of(batch.Word(entry, command is null ? 0 : keys[0]))}" : string.Empty;
        throw new RedisServerException(
            "ERR script", $"The function failed at {command?.Name ?? "RESTORE"}{at}: {_fault}");
    }

    public void Dispose()
    {
        _limit.Dispose();
        _lua.Dispose();
    }

    private void SetGlobals(SyncBatch batch, in SyncEntry entry, List<int> keys, CommandSpec? command)
    {
        SetNumber("DB", entry.Database);
        _lua.PushString(command?.Group ?? "GENERIC");
        _lua.SetGlobal("GROUP");
        _lua.PushString(command?.Name ?? "RESTORE");
        _lua.SetGlobal("CMD");
        NewTable("KEYS", keys.Count, (i, found) => _lua.PushBuffer(batch.Word(found, keys[i]).ToArray()), entry);
        NewTable("SLOTS", keys.Count, (i, found) => _lua.PushInteger(KeySlot.Of(batch.Word(found, keys[i]))), entry);
        // Indexes into ARGV, which counts from 1; a key to be restored is its second word.
        NewTable("KEY_INDEXES", keys.Count, (i, _) => _lua.PushInteger(command is null ? 2 : keys[i] + 1), entry);
        if (command is not null)
        {
            NewTable("ARGV", entry.Words, (i, found) => _lua.PushBuffer(batch.Word(found, i).ToArray()), entry);
            return;
        }

        var left = entry.ExpiresAtMs == 0 ? 0 : Math.Max(1, entry.ExpiresAtMs - UnixTime.NowMs());
        _ttl = left.ToString(CultureInfo.InvariantCulture);
        NewTable(
            "ARGV", _replaces ? 5 : 4,
            (i, found) => _lua.PushBuffer(i switch
            {
                0 => "RESTORE"u8.ToArray(),
                1 => batch.Word(found, 0).ToArray(),
                2 => Encoding.ASCII.GetBytes(_ttl),
                3 => batch.BytesOf(found).ToArray(),
                _ => "REPLACE"u8.ToArray(),
            }),
            entry);
    }

    private void SetNumber(string name, long number)
    {
        _lua.PushInteger(number);
        _lua.SetGlobal(name);
    }

    private void NewTable(string name, int count, Action<int, SyncEntry> push, SyncEntry entry)
    {
        _lua.CreateTable(count, 0);
        for (var i = 0; i < count; i++)
        {
            push(i, entry);
            _lua.RawSetInteger(-2, i + 1);
        }

        _lua.SetGlobal(name);
    }

    private int Note(IntPtr state)
    {
        var lua = Lua.FromIntPtr(state);
        lua.GetGlobal("tostring");
        lua.PushCopy(1);
        if (lua.PCall(1, 1, 0) == LuaStatus.OK)
            _log($"lua log: {lua.ToString(-1)}");
        lua.Pop(1);
        return 0;
    }

    // Nothing is thrown and no error of Lua raised here: neither may cross the other's frames.
    private int Call(IntPtr state)
    {
        var lua = Lua.FromIntPtr(state);
        if (lua.Type(1) != LuaType.Number || lua.Type(2) != LuaType.Table)
        {
            _fault ??= "shake.call(DB, ARGV) needs a number and a table";
            return 0;
        }

        var database = (int)lua.ToNumber(1);
        var words = new List<byte[]>();
        for (var i = 1L; _fault is null && i <= lua.RawLen(2); i++)
        {
            lua.RawGetInteger(2, i);
            words.Add(WordOf(lua));
            lua.Pop(1);
        }

        if (words.Count == 0)
            _fault ??= "shake.call was given no command";
        if (_fault is null)
            Give(database, words);
        return 0;
    }

    private byte[] WordOf(Lua lua)
    {
        switch (lua.Type(-1))
        {
            case LuaType.Number when lua.ToNumber(-1) is var number && number == Math.Floor(number)
                && Math.Abs(number) < 1e15:
                return Encoding.ASCII.GetBytes(((long)number).ToString(CultureInfo.InvariantCulture));
            case LuaType.Number or LuaType.String:
                return lua.ToBuffer(-1);
            default:
                _fault ??= $"shake.call was given a {lua.TypeName(lua.Type(-1))} as a word of a command";
                return [];
        }
    }

    private SyncBatch Batch => _batch ?? throw NotRunning();

    private List<SyncEntry> Given => _given ?? throw NotRunning();

    private static InvalidOperationException NotRunning() => new("The function calls back only while it runs.");

    private void Give(int database, List<byte[]> words)
    {
        var batch = Batch;
        if (words.Count >= 4 && Ascii.EqualsIgnoreCase(words[0], "RESTORE"u8) && _entry.Kind == EntryKind.Restore
            && words[3].AsSpan().SequenceEqual(batch.BytesOf(_entry)))
        {
            GiveRestored(database, words);
            return;
        }

        _request.Clear();
        _request.WriteArrayHeader(words.Count);
        foreach (var word in words)
            _request.WriteBulkString(word);
        var made = batch.Replace(_entry with { Database = database }, _request.Written, _frames);
        if (OfConnection.Contains(Encoding.Latin1.GetString(words[0])))
            _fault ??= $"shake.call was given {KeyText.Of(words[0])}, which changes the connection";
        else if (_table.Find(batch, made) is null)
            _fault ??= $"shake.call was given an unknown command, {KeyText.Of(words[0])}";
        else
            Given.Add(made);
    }

    // The same value: what travels beside it stays, unless another time to live was given.
    private void GiveRestored(int database, List<byte[]> words)
    {
        var entry = _entry with { Database = database };
        if (!words[1].AsSpan().SequenceEqual(Batch.Word(entry, 0)))
            Batch.Rename(ref entry, words[1]);
        var ttl = Encoding.ASCII.GetString(words[2]);
        if (ttl != _ttl)
        {
            if (!long.TryParse(ttl, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds))
            {
                _fault ??= "shake.call was given a RESTORE whose time to live is no number";
                return;
            }

            entry.ExpiresAtMs = milliseconds == 0 ? 0 : UnixTime.NowMs() + milliseconds;
        }

        Given.Add(entry);
    }
}

internal static class UnixTime
{
    public static long NowMs() => TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds();
}
