using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Live;

/// <summary>What keys do while a live view is on a terminal.</summary>
internal sealed class LiveKeys : IDisposable
{
    public const string Help = "Keys: q stop and report, p pause, h help";

    private readonly Diagnostics _diagnostics;
    private readonly IStopToken _stop;
    private readonly Keyboard? _keyboard;
    private volatile bool _isPaused;

    public LiveKeys(bool isTerminal, Diagnostics diagnostics, IStopToken stop)
    {
        (_diagnostics, _stop) = (diagnostics, stop);
        _keyboard = isTerminal ? Keyboard.Open(Press) : null;
        if (_keyboard is not null)
            _stop.EndingAtOnce += _keyboard.Restore;
    }

    public bool AreThere => _keyboard is not null;

    /// <summary>Whether nothing new is shown; what is measured meanwhile is shown afterwards.</summary>
    public bool IsPaused => _isPaused;

    public void Dispose()
    {
        if (_keyboard is null)
            return;
        _stop.EndingAtOnce -= _keyboard.Restore;
        _keyboard.Dispose();
    }

    private void Press(char key)
    {
        switch (key)
        {
            case 'q':
                Keyboard.PressInterrupt();
                break;
            case 'p':
                _isPaused = !_isPaused;
                _diagnostics.WriteLine(
                    _isPaused ? "Display paused; measuring goes on. p resumes." : "Display resumed.");
                break;
            case 'h':
                _diagnostics.WriteLine(Help);
                break;
        }
    }
}
