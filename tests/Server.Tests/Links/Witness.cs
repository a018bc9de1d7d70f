using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

/// <summary>Keeps all that a link tells, and lets a test wait for it.</summary>
internal sealed class Witness : ILinkObserver
{
    private readonly Lock _gate = new();
    private readonly List<RelayedChunk> _chunks = [];
    private readonly List<(Func<IReadOnlyList<RelayedChunk>, bool> IsThere, TaskCompletionSource Seen)> _waiting = [];

    public IReadOnlyList<RelayedChunk> Chunks
    {
        get
        {
            lock (_gate)
                return [.. _chunks];
        }
    }

    public IReadOnlyList<RelayedChunk> Of(LinkDirection direction) =>
        [.. Chunks.Where(chunk => chunk.Direction == direction)];

    public int Count(LinkDirection direction, ChunkFate fate) => Of(direction).Count(chunk => chunk.Fate == fate);

    public async Task WaitFor(Func<IReadOnlyList<RelayedChunk>, bool> isThere)
    {
        var seen = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (isThere(_chunks))
                return;
            _waiting.Add((isThere, seen));
        }

        await seen.Task.WaitAsync(LinkTest.AgainstHangs);
    }

    public void Saw(in RelayedChunk chunk)
    {
        lock (_gate)
        {
            _chunks.Add(chunk);
            foreach (var (_, seen) in _waiting.Where(waiting => waiting.IsThere(_chunks)))
                seen.TrySetResult();
        }
    }
}
