namespace RedisLatency.Workloads.Keys;

/// <summary>
/// One key after the other for each connection by itself: through all keys where no workers are told, as memtier's S;
/// else each in a part of its own, as memtier's P.
/// </summary>
internal sealed class ConnectionChooser : KeyChooser
{
    private readonly Stretch[] _stretches;

    public ConnectionChooser(KeySpace space, ChooserShare place)
        : base(space)
    {
        _stretches = new Stretch[place.Connections];
        var all = (UInt128)(uint)place.Workers * (uint)place.Connections;
        for (var connection = 0; connection < _stretches.Length; connection++)
        {
            var number = ((UInt128)(uint)place.Worker * (uint)place.Connections) + (uint)connection;
            var start = all == 0 ? 0 : (long)((UInt128)space.Count * number / all);
            var end = all == 0 ? space.Count : (long)((UInt128)space.Count * (number + 1) / all);
            _stretches[connection] = new Stretch { Start = start, End = end, Next = start };
        }
    }

    public int Connection { get; set; }

    public override long Next(RandomSource random)
    {
        ref var stretch = ref _stretches[Connection];
        var position = stretch.Next;
        stretch.Next = position + 1 < stretch.End ? position + 1 : stretch.Start;
        return First + position;
    }

    private struct Stretch
    {
        public long Start;
        public long End;
        public long Next;
    }
}
