using System.Globalization;
using System.Text;
using KeraLua;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Filters;

// A function in Lua as RedisShake runs it: for each command, with the globals DB, GROUP, CMD, KEYS, KEY_INDEXES, SLOTS
// and ARGV; what it passes to shake.call goes on. One per shard.
internal sealed class ScriptFunction : IDisposable
{
    private readonly ScriptMemory _memory = new();
    private readonly Lua _lua;
    private readonly CommandTable _table;
    private readonly Action<string> _log;
    private readonly bool _replaces;
    private readonly ServerClock _clock;
    // Kept, or they would be collected while Lua still calls them.
    private readonly LuaFunction _call;
    private readonly LuaFunction _note;
    private readonly ScriptLimit _limit;
    private long _givenLength;
    private readonly int _textOf;
    private readonly int _chunk;
    private SyncBatch? _batch;
    private SyncEntry _entry;
    private List<int> _keys = [];
    private CommandSpec? _command;
    private string _ttl = string.Empty;
    private List<SyncEntry>? _given;
    private string? _fault;

    /// <exception cref="ConfigurationException">The text is no Lua.</exception>
    public ScriptFunction(
        FunctionPlan script, CommandTable table, Action<string> log, bool replaces, ServerClock clock)
    {
        (_table, _log, _replaces, _clock, _call, _note) = (table, log, replaces, clock, Call, Note);
        _lua = new Lua(_memory.Allocator, IntPtr.Zero) { Encoding = Encoding.UTF8 };
        _lua.OpenLibs();
        _limit = new ScriptLimit(_lua, () => script.GiveUp(Failure(
            $"it has run for more than {ScriptLimit.Seconds} s, within a call that cannot be ended (as string.find)")));
        if (_lua.DoString(ScriptPrelude.Text))
            throw new InvalidOperationException(_lua.ToString(-1));
        _lua.GetGlobal("tostring");
        _textOf = _lua.Ref(LuaRegistry.Index);
        _lua.NewTable();
        _lua.PushCFunction(_call);
        _lua.SetField(-2, "call");
        _lua.PushCFunction(_note);
        _lua.SetField(-2, "log");
        _lua.SetGlobal("shake");
        // Standard output is the run's own.
        _lua.PushCFunction(_note);
        _lua.SetGlobal("print");
        if (_lua.LoadString(script.Text, "function") != LuaStatus.OK)
        {
            var problem = _lua.ToString(-1);
            Dispose();
            throw new ConfigurationException($"The function is not valid Lua: {problem}");
        }

        _chunk = _lua.Ref(LuaRegistry.Index);
    }

    /// <summary>What is wrong with a function's text, or null.</summary>
    public static string? Problem(string script)
    {
        try
        {
            new ScriptFunction(
                new FunctionPlan(script), new CommandTable(), _ => { }, replaces: false, ServerClock.OfThisMachine)
                .Dispose();
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
        (_batch, _entry, _keys, _command, _given, _fault) = (batch, entry, keys, command, given, null);
        _givenLength = 0;
        SetGlobals(batch, entry, keys, command);
        _lua.RawGetInteger(LuaRegistry.Index, _chunk);
        _limit.Begin();
        _memory.Limit();
        var status = _lua.PCall(0, 0, 0);
        _memory.Lift();
        _limit.End();
        if (status == LuaStatus.ErrMem)
            _fault ??= $"it takes more than {ScriptMemory.MostMiB} MiB of memory";
        if (status != LuaStatus.OK)
        {
            // Not by __tostring: an error in that would have no one to catch it here.
            _fault ??= _lua.ToString(-1, callMetamethod: false) ?? $"its error is a {_lua.TypeName(_lua.Type(-1))}";
            _lua.Pop(1);
        }

        if (_fault is not null)
            throw Failure(_fault);
    }

    public void Dispose()
    {
        _limit.Dispose();
        // It may not be closed under a thread that is in it.
        if (!_limit.IsGivenUp)
            _lua.Dispose();
    }

    private RedisServerException Failure(string fault)
    {
        var at = _keys.Count > 0 ? $" {KeyText.Of(Batch.Word(_entry, _command is null ? 0 : _keys[0]))}" : string.Empty;
        return new("ERR script", $"The function failed at {_command?.Name ?? "RESTORE"}{at}: {fault}");
    }

    private void SetGlobals(SyncBatch batch, in SyncEntry entry, List<int> keys, CommandSpec? command)
    {
        _lua.PushInteger(entry.Database);
        SetGlobal("DB");
        _lua.PushString(command?.Group ?? "GENERIC");
        SetGlobal("GROUP");
        _lua.PushString(command?.Name ?? "RESTORE");
        SetGlobal("CMD");
        NewTable("KEYS", keys.Count, (i, found) => _lua.PushBuffer(batch.Word(found, keys[i]).ToArray()), entry);
        NewTable("SLOTS", keys.Count, (i, found) => _lua.PushInteger(KeySlot.Of(batch.Word(found, keys[i]))), entry);
        // Indexes into ARGV, which counts from 1; a key to be restored is its second word.
        NewTable("KEY_INDEXES", keys.Count, (i, _) => _lua.PushInteger(command is null ? 2 : keys[i] + 1), entry);
        if (command is not null)
        {
            NewTable("ARGV", entry.Words, (i, found) => _lua.PushBuffer(batch.Word(found, i).ToArray()), entry);
            return;
        }

        var left = entry.ExpiresAtMs == 0 ? 0 : Math.Max(1, entry.ExpiresAtMs - _clock.NowMs);
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

    // Whatever metatable a function gave them: an error of it would have no one to catch it.
    private void SetGlobal(string name)
    {
        _lua.PushGlobalTable();
        _lua.PushString(name);
        _lua.PushCopy(-3);
        _lua.RawSet(-3);
        _lua.Pop(2);
    }

    private void NewTable(string name, int count, Action<int, SyncEntry> push, SyncEntry entry)
    {
        _lua.CreateTable(count, 0);
        for (var i = 0; i < count; i++)
        {
            push(i, entry);
            _lua.RawSetInteger(-2, i + 1);
        }

        SetGlobal(name);
    }

    private int Note(IntPtr state)
    {
        var lua = Lua.FromIntPtr(state);
        lua.RawGetInteger(LuaRegistry.Index, _textOf);
        lua.PushCopy(1);
        if (lua.PCall(1, 1, 0) == LuaStatus.OK)
            _log($"lua log: {lua.ToString(-1, callMetamethod: false)}");
        lua.Pop(1);
        return 0;
    }

    // Nothing is thrown and no error of Lua raised here: neither may cross the other's frames.
    private int Call(IntPtr state)
    {
        var lua = Lua.FromIntPtr(state);
        var isFirst = _fault is null;
        var most = _memory.Lift();
        Take(lua);
        if (isFirst && _fault is not null)
        {
            // The line of the function that called.
            lua.Where(1);
            _fault = lua.ToString(-1, callMetamethod: false) + _fault;
            lua.Pop(1);
        }

        _memory.Limit(most);
        return 0;
    }

    private void Take(Lua lua)
    {
        if (lua.Type(1) != LuaType.Number || lua.Type(2) != LuaType.Table)
        {
            _fault ??= "shake.call(DB, ARGV) needs a number and a table";
            return;
        }

        var database = lua.ToNumber(1);
        if (!(database is >= 0 and <= int.MaxValue) || database != Math.Floor(database))
        {
            _fault ??= $"shake.call was given {database} as a database, which has to be a whole number, 0 or more";
            return;
        }

        // Beside the entry, which it may pass on.
        _givenLength += LengthOfWords(lua);
        if (_givenLength > ScriptMemory.Most + Batch.BytesOf(_entry).Length)
        {
            _fault ??= $"shake.call was given more than {ScriptMemory.MostMiB} MiB";
            return;
        }

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
            Give((int)database, words);
    }

    // Before any of them is copied.
    private static long LengthOfWords(Lua lua)
    {
        var length = 0L;
        for (var i = 1L; i <= lua.RawLen(2); i++)
        {
            lua.RawGetInteger(2, i);
            length += lua.RawLen(-1);
            lua.Pop(1);
        }

        return length;
    }

    private byte[] WordOf(Lua lua)
    {
        switch (lua.Type(-1))
        {
            case LuaType.Number when !lua.IsInteger(-1) && lua.ToNumber(-1) is var number && double.IsFinite(number):
                return Encoding.ASCII.GetBytes(TextOf(number));
            case LuaType.Number or LuaType.String:
                return lua.ToBuffer(-1, callMetamethod: false);
            default:
                _fault ??= $"shake.call was given a {lua.TypeName(lua.Type(-1))} as a word of a command";
                return [];
        }
    }

    // As RedisShake's Lua has it; that of 5.4 leaves out what comes behind the fourteenth digit.
    private static string TextOf(double number) => number == Math.Floor(number) && Math.Abs(number) < 1L << 62
        ? ((long)number).ToString(CultureInfo.InvariantCulture)
        : number.ToString("R", CultureInfo.InvariantCulture);

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

        var request = batch.Make(words.Count);
        foreach (var word in words)
            request.WriteBulkString(word);
        var made = batch.Replace(_entry with { Database = database });
        // Nothing that comes behind it would be what it says.
        if (RedisCommands.Has(Encoding.Latin1.GetString(words[0]), CommandFlags.Session))
            _fault ??= $"shake.call was given {KeyText.Of(words[0])}, which changes the connection";
        else if (_table.Find(batch, made) is not { } command)
            _fault ??= $"shake.call was given an unknown command, {KeyText.Of(words[0])}";
        else if (command.Outcome != CommandOutcome.Applied)
            _fault ??= $"shake.call was given {KeyText.Of(words[0])}, which is no write, message or script, or waits";
        else
            Given.Add(made);
    }

    // The same value: what travels beside it stays, unless another time to live was given.
    private void GiveRestored(int database, List<byte[]> words)
    {
        var entry = _entry with { Database = database };
        if (!words[1].AsSpan().SequenceEqual(Batch.Word(entry, 0)))
            Batch.Rename(ref entry, words[1]);
        var isAbsolute = false;
        for (var i = 4; i < words.Count; i++)
        {
            switch (Encoding.Latin1.GetString(words[i]).ToUpperInvariant())
            {
                // --on-existing decides.
                case "REPLACE":
                    break;
                case "ABSTTL":
                    isAbsolute = true;
                    break;
                case "IDLETIME" when i + 1 < words.Count && TryNumber(words[i + 1], out var seconds):
                    (entry.IdleSeconds, i) = (seconds, i + 1);
                    break;
                case "FREQ" when i + 1 < words.Count && TryNumber(words[i + 1], out var use) && use <= byte.MaxValue:
                    (entry.Frequency, i) = ((int)use, i + 1);
                    break;
                default:
                    _fault ??= $"shake.call was given a RESTORE with {KeyText.Of(words[i])}, which means nothing there";
                    return;
            }
        }

        if (isAbsolute || !Ascii.Equals(words[2], _ttl))
        {
            var now = isAbsolute ? 0 : _clock.NowMs;
            if (!TryNumber(words[2], out var milliseconds) || milliseconds > long.MaxValue - now)
            {
                _fault ??= "shake.call was given a RESTORE whose time to live is no number";
                return;
            }

            entry.ExpiresAtMs = milliseconds == 0 ? 0 : now + milliseconds;
        }

        Given.Add(entry);
    }

    private static bool TryNumber(byte[] word, out long number) =>
        long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
