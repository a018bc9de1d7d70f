using System.Globalization;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;

namespace RedisLatency.Sync.Lanes;

/// <summary>What a connection has sent or sends next, in its order, and the target has not answered.</summary>
internal sealed class LaneInFlight(
    LaneRules rules, RequestCommands commands, Func<LaneChunk> rent, Action<LaneChunk> leave)
{
    private const long MostBytes = 8 << 20;

    private readonly Queue<LaneChunk> _chunks = new();
    private int _requests;
    private long _bytes;
    private int _database;

    public bool IsEmpty => _chunks.Count == 0;

    // Requests are of any length.
    public bool HasRoom => _requests < rules.MostInFlight && _bytes < MostBytes;

    // When the oldest was received from the source; 0 where there is none.
    public long OldestNs
    {
        get
        {
            foreach (var chunk in _chunks)
            {
                if (chunk.Share is not null)
                    return chunk.ReceivedNs;
            }

            return 0;
        }
    }

    public LaneChunk? First => _chunks.TryPeek(out var chunk) ? chunk : null;

    public void Append(LaneChunk chunk)
    {
        if (chunk[chunk.Answered].Database is var database && database != _database)
            _chunks.Enqueue(Selecting(database));
        _chunks.Enqueue(chunk);
        _requests += chunk.Count - chunk.Answered;
        _bytes += chunk.Length;
        _database = chunk.Database;
    }

    /// <returns>Whether all could be sent.</returns>
    public bool SendTo(LaneSocket socket)
    {
        foreach (var chunk in _chunks)
        {
            while (chunk.Unsent is { IsEmpty: false } rest)
            {
                var sent = socket.Send(rest);
                chunk.Sent += sent;
                if (sent < rest.Length)
                    return false;
            }
        }

        // Over TLS what was taken may still be on its way.
        return socket.Flush();
    }

    public void Answer(LaneChunk first)
    {
        first.Answered++;
        _requests--;
    }

    public void LeaveFirst()
    {
        var chunk = _chunks.Dequeue();
        _bytes -= chunk.Share is null ? 0 : chunk.Length;
        leave(chunk);
    }

    // What was sent and must not be sent twice.
    public (int Count, string First) Unrepeatable()
    {
        var (count, first) = (0, string.Empty);
        foreach (var chunk in _chunks)
        {
            for (var i = chunk.Answered; i < chunk.Count && chunk[i].Start < chunk.Sent; i++)
            {
                if (chunk[i].Kind is not (UnitKind.Command or UnitKind.Transaction) || chunk[i].Mark != 0
                    || chunk[i].IsRepeatable || count++ > 0)
                {
                    continue;
                }

                first = chunk[i].Kind == UnitKind.Command
                    ? $"{rules.NameOf(chunk[i])} {KeyText.Of(chunk.KeyOf(chunk[i]))}"
                    : commands.Find(chunk.CopyOf(chunk[i])).Find(one => !CommandEffects.IsRepeatable(one.Effect))
                        ?.Shown ?? rules.NameOf(chunk[i]);
            }
        }

        return (count, first);
    }

    // How many of those without an answer were carried out, as their marks say: what stands before such a one was too.
    public int CountMarked(Func<LaneShare, SentUnit, bool> isMarked)
    {
        var (place, count) = (0, 0);
        foreach (var chunk in _chunks)
        {
            for (var i = chunk.Answered; i < chunk.Count; i++)
            {
                place++;
                if (chunk[i].Mark != 0 && chunk[i].Start < chunk.Sent && isMarked(chunk.Owned, chunk[i]))
                    count = place;
            }
        }

        return count;
    }

    public void Repeat()
    {
        var chunks = _chunks.ToArray();
        _chunks.Clear();
        (_requests, _bytes, _database) = (0, 0, 0);
        foreach (var chunk in chunks)
        {
            if (chunk.Share is null)
            {
                leave(chunk);
                continue;
            }

            chunk.Rewind();
            Append(chunk);
        }
    }

    private LaneChunk Selecting(int database)
    {
        var chunk = rent();
        chunk.Requests.WriteRequest("SELECT", database.ToString(CultureInfo.InvariantCulture));
        chunk.Add(new SentUnit
        {
            Length = chunk.Requests.Length,
            Replies = 1,
            Database = database,
            EndsIn = database,
            Kind = UnitKind.Control,
            IsRepeatable = true,
        });
        _requests++;
        return chunk;
    }
}
