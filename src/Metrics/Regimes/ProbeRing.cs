namespace RedisLatency.Metrics.Regimes;

/// <summary>Probes in the order of their arrival, each under a number that it keeps; grows up to a limit.</summary>
internal sealed class ProbeRing
{
    public const int Limit = 65_536;

    private TestedProbe[] _probes = new TestedProbe[1024];

    public long Head { get; private set; }
    public long Tail { get; private set; }

    public ref TestedProbe this[long number] => ref _probes[number & (_probes.Length - 1)];

    public ref TestedProbe Append()
    {
        if (Tail - Head == _probes.Length)
            Grow();
        return ref this[Tail++];
    }

    public void RemoveHead() => Head++;

    private void Grow()
    {
        var larger = new TestedProbe[_probes.Length * 2];
        for (var number = Head; number < Tail; number++)
            larger[number & (larger.Length - 1)] = this[number];
        _probes = larger;
    }
}
