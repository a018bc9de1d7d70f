using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// Looks whether the writer has ended, or another one goes on in its place, on a thread and a connection of its own.
/// </summary>
internal sealed class WriterFollowing : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    private readonly Func<ulong, WriterSearch> _searchAfter;
    private readonly Action<long> _ended;
    private readonly Action<Announcement, AskedClock> _followed;
    private readonly Action<TargetLostException> _failed;
    private readonly ReporterThread _thread;
    private readonly string _run;
    private readonly HashSet<ulong> _followedBefore = [];
    private WriterSearch _search;
    private Announcement _current;
    private bool _hasEnded;

    public WriterFollowing(
        string run, Announcement current, Func<ulong, WriterSearch> searchAfter, Action<long> ended,
        Action<Announcement, AskedClock> followed, Action<TargetLostException> failed)
    {
        (_run, _current, _searchAfter, _ended, _followed, _failed) = (run, current, searchAfter, ended, followed, failed);
        _search = searchAfter(current.Session);
        _thread = new ReporterThread(Interval, _ => Look());
    }

    public void Dispose()
    {
        _thread.Dispose();
        _search.Dispose();
    }

    private void Look()
    {
        try
        {
            var isAnother = _search.Look();
            if (!_hasEnded && _search.KnownEndNs != 0)
            {
                _hasEnded = true;
                _ended(_search.KnownEndNs);
            }

            if (isAnother)
                Follow(_search.Announced);
        }
        catch (RunRefusedException refusal)
        {
            _failed(new TargetLostException($"Another writer goes on, and cannot be read: {refusal.Message}", refusal));
        }
        catch (RedisException)
        {
            // Who reads heartbeats there tells what is wrong; this only looks again.
        }
    }

    private void Follow(Announcement another)
    {
        _followedBefore.Add(_current.Session);
        if (_followedBefore.Contains(another.Session))
        {
            _failed(new TargetLostException(WriterSearch.TwoWriters(_run)));
            return;
        }

        // All that is counted and shown is of these shards, this often.
        var isSame = another.IntervalNs == _current.IntervalNs
            && another.Shards.Select(shard => shard.Prefix).SequenceEqual(_current.Shards.Select(shard => shard.Prefix));
        if (!isSame)
        {
            _failed(new TargetLostException(
                $"Another writer of {another.Source} goes on, with another interval or other shards: start again."));
            return;
        }

        _followed(another, _search.TakeClock());
        _search.Dispose();
        (_current, _hasEnded) = (another, false);
        _search = _searchAfter(another.Session);
    }
}
