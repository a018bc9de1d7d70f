using KeraLua;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Sync.Filters;

// Ends a function that runs for too long, by its thread's processor time: for as long as others have the processors, it
// does not run. From then on every instruction of it is an error, also behind what catches
// errors. A hook from the beginning would make each instruction slower. One that does not come to its next instruction,
// as within a pattern of string.find, is given up: its thread stays where it is.
internal sealed class ScriptLimit : IDisposable
{
    public const int Seconds = 5;
    private const long LimitNs = Seconds * 1_000_000_000L;
    private const long GivenUp = -2;

    private readonly Lock _gate = new();
    private readonly Lua _lua;
    // Lua's own, which calls the function in Lua: an error raised in a hook of ours would have to cross our frames.
    private readonly LuaHookFunction _hook;
    private readonly Timer _timer;
    private readonly Action _giveUp;
    private bool _isClosed;
    // Odd while it runs.
    private long _number;
    private long _seenNumber;
    private long _seenAtNs;
    private Thread? _thread;
    private int _clock;

    public ScriptLimit(Lua lua, Action giveUp)
    {
        (_lua, _giveUp) = (lua, giveUp);
        // The library may be taken away afterwards.
        lua.DoString($"debug.sethook(function() error('it has run for more than {Seconds} s', 2) end, '', 1 << 30)");
        _hook = lua.Hook;
        lua.SetHook(_hook, LuaHookMask.Disabled, 0);
        _timer = new Timer(_ => Check(), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
    }

    public bool IsGivenUp => Volatile.Read(ref _number) == GivenUp;

    public void Begin()
    {
        if (_thread != Thread.CurrentThread)
        {
            _thread = Thread.CurrentThread;
            Volatile.Write(ref _clock, ThreadProcessorTime.OwnClock);
        }

        Volatile.Write(ref _number, _number + 1);
    }

    public void End()
    {
        var number = Volatile.Read(ref _number);
        // Nobody waits for this thread any more, and what it would go on with is gone.
        if (number == GivenUp || Interlocked.CompareExchange(ref _number, number + 1, number) != number)
            Thread.CurrentThread.Join();
    }

    public void Dispose()
    {
        lock (_gate)
            _isClosed = true;
        _timer.Dispose();
    }

    // lua_sethook may be called while Lua runs (ldebug.c); what it misses in a frame that is just made comes again.
    private void Check()
    {
        lock (_gate)
        {
            var number = Volatile.Read(ref _number);
            if (number != _seenNumber)
                (_seenNumber, _seenAtNs) = (number, NowNs());
            var ranNs = NowNs() - _seenAtNs;
            if (number % 2 == 0 || ranNs < LimitNs || _isClosed)
                return;
            _lua.SetHook(_hook, LuaHookMask.Count, 1);
            if (ranNs < 2 * LimitNs || Interlocked.CompareExchange(ref _number, GivenUp, number) != number)
                return;
        }

        _giveUp();
    }

    private long NowNs() =>
        ThreadProcessorTime.IsKnown ? ThreadProcessorTime.NowNs(Volatile.Read(ref _clock)) : MonotonicClock.NowNs();
}
