namespace RedisLatency.Hosting.Live;

/// <summary>What a service has of its own at the end of an interval: its progress, a note, a log besides.</summary>
public delegate void IntervalEnd(in TakenInterval interval, ref LiveSnapshot snapshot);
