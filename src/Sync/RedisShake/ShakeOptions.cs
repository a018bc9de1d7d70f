namespace RedisLatency.Sync.RedisShake;

/// <summary>
/// The options of RedisShake's file, and what each is here. Those of readers and writers that say where a server is
/// are put together to an endpoint.
/// </summary>
internal static class ShakeOptions
{
    public static readonly string[] Readers = ["sync_reader", "scan_reader", "rdb_reader", "aof_reader"];
    public static readonly string[] Writers = ["redis_writer", "file_writer"];

    private const string OwnLog = "messages go to standard error, --quiet and --verbose say how many";
    private const string OwnMemory = "memory is freed in the background, and waited for";

    public static readonly ShakeOption[] Certificates =
        [new("ca_cert", ShakeKind.Text), new("cert", ShakeKind.Text), new("key", ShakeKind.Text)];

    private static readonly ShakeOption[] Server =
    [
        new("cluster", ShakeKind.Flag), new("address", ShakeKind.Text), new("username", ShakeKind.Text),
        new("password", ShakeKind.Text), new("tls", ShakeKind.Flag),
    ];

    private static readonly ShakeOption[] Sentinels =
    [
        new("address", ShakeKind.Text), new("master_name", ShakeKind.Text), new("username", ShakeKind.Text),
        new("password", ShakeKind.Text), new("tls", ShakeKind.Flag),
    ];

    public static IReadOnlyDictionary<string, IReadOnlyList<ShakeOption>> Sections { get; } =
        new Dictionary<string, IReadOnlyList<ShakeOption>>(StringComparer.OrdinalIgnoreCase)
        {
            ["sync_reader"] =
            [
                .. Server,
                new("sync_rdb", ShakeKind.Not, "Sync:NoDataSet"),
                new("sync_aof", ShakeKind.Not, "Sync:NoStream"),
                new("prefer_replica", ShakeKind.Flag, "Sync:PreferReplica"),
                new("try_diskless", ShakeKind.Not, "Sync:NoDiskless"),
            ],
            ["sync_reader.tls_config"] = Certificates,
            ["sync_reader.sentinel"] = Sentinels,
            ["scan_reader"] =
            [
                .. Server,
                new("dbs", ShakeKind.Numbers, "Sync:Database"),
                new("scan", ShakeKind.Flag)
                {
                    Only = "true", Reason = "what changed before a run is found only by scanning",
                },
                new("ksn", ShakeKind.Flag, "Sync:Follow"),
                new("count", ShakeKind.Number, "Sync:Count"),
                new("prefer_replica", ShakeKind.Flag, "Sync:PreferReplica"),
                new("skip_unknown_type", ShakeKind.Texts, "Sync:SkipType"),
            ],
            ["scan_reader.tls_config"] = Certificates,
            ["rdb_reader"] = [new("filepath", ShakeKind.Text)],
            ["aof_reader"] =
            [
                new("filepath", ShakeKind.Text), new("timestamp", ShakeKind.Number, "Sync:Until") { Unset = "0" },
            ],
            ["redis_writer"] =
            [
                .. Server,
                new("off_reply", ShakeKind.Flag)
                {
                    Usual = "false", Reason = "replies are read all the same: errors would be lost with them",
                },
                new("sentinel", ShakeKind.Flag), new("master", ShakeKind.Text),
            ],
            ["redis_writer.tls_config"] = Certificates,
            ["redis_writer.sentinel"] = Sentinels,
            ["file_writer"] =
            [
                new("filepath", ShakeKind.Text, "Sync:DestinationFile"), new("type", ShakeKind.Text, "Sync:FileFormat"),
            ],
            ["filter"] =
            [
                new("allow_keys", ShakeKind.Texts, "Sync:AllowKey"),
                new("allow_key_prefix", ShakeKind.Texts, "Sync:AllowKeyPrefix"),
                new("allow_key_suffix", ShakeKind.Texts, "Sync:AllowKeySuffix"),
                new("allow_key_regex", ShakeKind.Texts, "Sync:AllowKeyRegex"),
                new("block_keys", ShakeKind.Texts, "Sync:BlockKey"),
                new("block_key_prefix", ShakeKind.Texts, "Sync:BlockKeyPrefix"),
                new("block_key_suffix", ShakeKind.Texts, "Sync:BlockKeySuffix"),
                new("block_key_regex", ShakeKind.Texts, "Sync:BlockKeyRegex"),
                new("allow_db", ShakeKind.Numbers, "Sync:AllowDatabase"),
                new("block_db", ShakeKind.Numbers, "Sync:BlockDatabase"),
                new("allow_command", ShakeKind.Texts, "Sync:AllowCommand"),
                new("block_command", ShakeKind.Texts, "Sync:BlockCommand"),
                new("allow_command_group", ShakeKind.Texts, "Sync:AllowCommandGroup"),
                new("block_command_group", ShakeKind.Texts, "Sync:BlockCommandGroup"),
                new("function", ShakeKind.Text, "Sync:FunctionCode"),
            ],
            ["advanced"] =
            [
                new("dir", ShakeKind.Text, "Sync:Spool"),
                new("ncpu", ShakeKind.Number)
                {
                    Usual = "0", Reason = "the variable DOTNET_PROCESSOR_COUNT limits processors",
                },
                new("pprof_port", ShakeKind.Number) { Usual = "0", Reason = "dotnet-trace profiles this program" },
                new("status_port", ShakeKind.Number, "Telemetry:Metrics") { Form = "http://0.0.0.0:{0}", Unset = "0" },
                new("log_file", ShakeKind.Text) { Usual = "shake.log", Reason = OwnLog },
                new("log_level", ShakeKind.Text) { Usual = "info", Reason = OwnLog },
                new("log_interval", ShakeKind.Number) { Usual = "5", Reason = "--live has the view while it runs" },
                new("log_rotation", ShakeKind.Flag) { Usual = "true", Reason = OwnLog },
                new("log_max_size", ShakeKind.Number) { Usual = "512", Reason = OwnLog },
                new("log_max_age", ShakeKind.Number) { Usual = "7", Reason = OwnLog },
                new("log_max_backups", ShakeKind.Number) { Usual = "3", Reason = OwnLog },
                new("log_compress", ShakeKind.Flag) { Usual = "true", Reason = OwnLog },
                new("rdb_restore_command_behavior", ShakeKind.Text, "Sync:OnExisting"),
                new("pipeline_count_limit", ShakeKind.Number, "Sync:MaxInFlight"),
                new("target_redis_max_qps", ShakeKind.Number, "Sync:Rate"),
                new("target_redis_client_max_querybuf_len", ShakeKind.Number)
                {
                    Usual = "1073741824", Reason = "no more than 2 MiB wait for a connection, beside one value",
                },
                // A value that is longer than ours is not held either.
                new("target_redis_proto_max_bulk_len", ShakeKind.Number, "Sync:BigValue") { Most = 64 << 20 },
                new("aws_psync", ShakeKind.Text, "Sync:PsyncCommand") { Separator = ',' },
                new("empty_db_before_sync", ShakeKind.Flag, "Sync:EmptyDestination"),
                new("empty_db_by_async", ShakeKind.Flag),
                new("lazy_free_pending_objects_max_wait", ShakeKind.Text) { Usual = "60s", Reason = OwnMemory },
                new("lazy_free_pending_objects_check_interval", ShakeKind.Text)
                {
                    Usual = "100ms", Reason = OwnMemory,
                },
            ],
            ["module"] =
            [
                new("target_mbbloom_version", ShakeKind.Number)
                {
                    Usual = "20603", Reason = "values of modules are restored as the source has them",
                },
            ],
        };
}
