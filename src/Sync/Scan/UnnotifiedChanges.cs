using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Sync.Scan;

// What becomes of a server's keys and neither SCAN nor a notification tells: looked for in what the server says of
// itself.
internal sealed class UnnotifiedChanges(ResolvedTarget source) : IDisposable
{
    private readonly Lock _gate = new();
    private RedisConnection? _control;
    private SourceSnapshot? _before;

    private readonly SortedSet<string> _unnotified = [];
    private bool _mayHaveBeenSilent;

    // What it carried out, and what that leaves open.
    public IEnumerable<string> Doubts
    {
        get
        {
            if (_mayHaveBeenSilent)
                yield return "CONFIG SET: whether it notified of all changes meanwhile is not known.";
            if (_unnotified.Count > 0)
            {
                yield return $"{string.Join(", ", _unnotified)}, of which nothing notifies: groups of streams, or "
                    + "vector sets, may be behind at the target.";
            }
        }
    }

    // Who was asked last.
    public string? Process { get; private set; }

    public void Leave()
    {
        lock (_gate)
            Close();
    }

    // What happened since the last look; null where nothing did. What the first look may have come too late for is
    // not known.
    public string? Check(bool isLast = false)
    {
        lock (_gate)
        {
            try
            {
                _control ??= source.OpenControl();
                var now = SourceSnapshot.Of(_control);
                var before = _before;
                _before = now;
                Process = now.Server.Fact("run_id");
                _mayHaveBeenSilent |= now.MayHaveBeenSilentSince(before);
                if (before is not null)
                    _unnotified.UnionWith(now.UnnotifiedSince(before));
                var changes = now.ChangesSince(before, isLast).Concat(now.SilenceSince(before, isLast)).ToList();
                return changes.Count > 0 ? string.Join("; ", changes) : null;
            }
            catch (RedisException)
            {
                Close();
                throw;
            }
        }
    }

    public void Dispose() => Close();

    private void Close()
    {
        _control?.Dispose();
        _control = null;
    }
}
